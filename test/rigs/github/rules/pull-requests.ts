import { isObject } from "../../../../src/base/json.ts";
import { actorIn } from "../access.ts";
import { at } from "../api.ts";
import { diffOf } from "../diff.ts";
import { json, parsed, type RigResponse } from "../http.ts";
import { paged } from "../paging.ts";
import { heads, pullOf, pullRef } from "../pulls.ts";
import { inRepository, type Rule, type RuleContext } from "../rule.ts";
import { merge } from "./merges.ts";

const invalid = (field: string, message: string): RigResponse =>
  json(422, {
    message: "Validation Failed",
    errors: [{ resource: "PullRequest", field, code: "custom", message }],
  });

/** The emulator makes a missing branch and takes a second pull request from the same one. */
const create: Rule = {
  method: "POST",
  path: inRepository("/pulls"),
  answer: async (context) => {
    const { request, params, repositories, forward, ownerApi, hasDrafts } = context;
    const { fullName = "" } = params;
    const repository = repositories.get(fullName);
    const branches = (await repository?.branches()) ?? new Map<string, string>();
    const body = parsed(request);
    const [owner = ""] = fullName.split("/");
    const head = String(at(body, "head")).replace(`${owner}:`, "");
    const base = String(at(body, "base"));
    const commit = branches.get(head);
    if (commit === undefined) return invalid("head", "head is invalid");
    if (!branches.has(base)) return invalid("base", "base is invalid");
    if (commit === branches.get(base)) return invalid("head", `No commits between ${base} and ${head}`);
    if (at(body, "draft") === true && !hasDrafts(fullName))
      return json(422, { message: "Draft pull requests are not supported in this repository." });
    const filter = `state=open&base=${encodeURIComponent(base)}&head=${encodeURIComponent(`${owner}:${head}`)}`;
    const open = await ownerApi(fullName)("GET", `/repos/${fullName}/pulls?${filter}`);
    if (Array.isArray(open) && open.length > 0)
      return invalid("head", `A pull request already exists for ${owner}:${head}.`);
    const response = await forward();
    if (response.status === 201)
      await repository?.git("update-ref", pullRef(Number(at(parsed(response), "number"))), commit);
    return withHeads(context, response);
  },
};

const read: Rule = {
  method: "GET",
  path: inRepository("/pulls(/\\d+)?"),
  answer: async (context) => withHeads(context, await context.forward()),
};

const files: Rule = {
  method: "GET",
  path: inRepository("/pulls/(?<number>\\d+)/files"),
  answer: async (context) => {
    const { fullName = "", number = "" } = context.params;
    const actor = actorIn(context, fullName, { permission: "pull_requests", level: "read" });
    if (typeof actor !== "string") return actor;
    const repository = context.repositories.get(fullName);
    const pull = await pullOf(context, fullName, Number(number));
    if (repository === undefined || pull === null) return json(404, { message: "Not Found" });
    const changed = await diffOf(repository, { base: pull.base, head: pull.commit });
    return paged(
      context,
      changed.map(({ path, patch, ...file }) => ({
        filename: path,
        ...file,
        changes: file.additions + file.deletions,
        ...(patch === null ? {} : { patch }),
      })),
    );
  },
};

/** Answers of the emulator with the heads of now. */
export const withHeads = async (context: RuleContext, response: RigResponse): Promise<RigResponse> => {
  if (response.status >= 300) return response;
  const fresh = await heads(context, context.params.fullName ?? "");
  const pulls = parsed(response);
  const body = Array.isArray(pulls)
    ? pulls.filter(isObject).map(fresh)
    : isObject(pulls)
      ? fresh(pulls)
      : pulls;
  return { ...response, body: Buffer.from(JSON.stringify(body)) };
};

/** GitHub refuses the whole request when it names one who cannot review: a stranger, or the author. */
const requestReviewers: Rule = {
  method: "POST",
  path: inRepository("/pulls/(?<number>\\d+)/requested_reviewers"),
  answer: async ({ request, params, forward, ownerApi }) => {
    const asked = at(parsed(request), "reviewers");
    const pull = await ownerApi(params.fullName ?? "")(
      "GET",
      `/repos/${params.fullName}/pulls/${params.number}`,
    ).catch(() => null);
    if (pull === null) return json(404, { message: "Not Found" });
    const logins = Array.isArray(asked) ? asked.map(String) : [];
    const canReview = await Promise.all(
      logins.map(async (login) => {
        const path = `/repos/${params.fullName}/collaborators/${login}/permission`;
        const isCollaborator = await ownerApi(params.fullName ?? "")("GET", path).catch(() => null);
        return isCollaborator !== null && at(pull, "user", "login") !== login;
      }),
    );
    if (canReview.includes(false))
      return json(422, { message: "Reviews may only be requested from collaborators." });
    const response = await forward();
    return response.status === 200 ? { ...response, status: 201 } : response;
  },
};

/** On GitHub a pull request is an issue too. */
const issueOfPullRequest: Rule = {
  method: "GET",
  path: inRepository("/issues/(?<number>\\d+)"),
  answer: async ({ params, forward, ownerApi }) => {
    const response = await forward();
    if (response.status !== 404) return response;
    const { fullName = "", number = "" } = params;
    const pull = await ownerApi(fullName)("GET", `/repos/${fullName}/pulls/${number}`).catch(() => null);
    if (!isObject(pull)) return response;
    return json(200, {
      ...pull,
      pull_request: { url: pull.url, html_url: pull.html_url, merged_at: pull.merged_at },
    });
  },
};

export const pullRequestRules: readonly Rule[] = [
  create,
  read,
  files,
  merge,
  requestReviewers,
  issueOfPullRequest,
];
