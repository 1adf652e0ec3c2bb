import { isObject } from "../../../../src/base/json.ts";
import { at } from "../api.ts";
import { json, parsed, type RigResponse } from "../http.ts";
import { inRepository, type Rule, type RuleContext } from "../rule.ts";

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
    const { request, params, repositories, forward, ownerApi } = context;
    const { fullName = "" } = params;
    const branches = (await repositories.get(fullName)?.branches()) ?? new Map<string, string>();
    const body = parsed(request);
    const [owner = ""] = fullName.split("/");
    const head = String(at(body, "head")).replace(`${owner}:`, "");
    const base = String(at(body, "base"));
    if (!branches.has(head)) return invalid("head", "head is invalid");
    if (!branches.has(base)) return invalid("base", "base is invalid");
    if (branches.get(head) === branches.get(base))
      return invalid("head", `No commits between ${base} and ${head}`);
    const filter = `state=open&base=${encodeURIComponent(base)}&head=${encodeURIComponent(`${owner}:${head}`)}`;
    const open = await ownerApi(fullName)("GET", `/repos/${fullName}/pulls?${filter}`);
    if (Array.isArray(open) && open.length > 0)
      return invalid("head", `A pull request already exists for ${owner}:${head}.`);
    return withHeads(context, await forward());
  },
};

const read: Rule = {
  method: "GET",
  path: inRepository("/pulls(/\\d+)?"),
  answer: async (context) => withHeads(context, await context.forward()),
};

const edit: Rule = { ...read, method: "PATCH", path: inRepository("/pulls/\\d+") };

/** The emulator keeps the head that a pull request was opened with. */
const withHeads = async (
  { params, repositories }: RuleContext,
  response: RigResponse,
): Promise<RigResponse> => {
  const repository = repositories.get(params.fullName ?? "");
  if (response.status >= 300 || repository === undefined) return response;
  const branches = await repository.branches();
  const refresh = (pull: unknown): unknown => {
    const head = at(pull, "head");
    if (!isObject(pull) || !isObject(head) || pull.state !== "open") return pull;
    return { ...pull, head: { ...head, sha: branches.get(String(head.ref)) ?? head.sha } };
  };
  const pulls = parsed(response);
  const fresh = Array.isArray(pulls) ? pulls.map(refresh) : refresh(pulls);
  return { ...response, body: Buffer.from(JSON.stringify(fresh)) };
};

/** GitHub refuses the whole request when it names one who cannot review: a stranger, or the author. */
const requestReviewers: Rule = {
  method: "POST",
  path: inRepository("/pulls/(?<number>\\d+)/requested_reviewers"),
  answer: async ({ request, params, users, forward, ownerApi }) => {
    const asked = at(parsed(request), "reviewers");
    const pull = await ownerApi(params.fullName ?? "")(
      "GET",
      `/repos/${params.fullName}/pulls/${params.number}`,
    ).catch(() => null);
    if (pull === null) return json(404, { message: "Not Found" });
    const cannot = (Array.isArray(asked) ? asked : []).some((login) => {
      const user = users.find((each) => each.login === login);
      return user === undefined || user.permission === "none" || at(pull, "user", "login") === login;
    });
    if (cannot) return json(422, { message: "Reviews may only be requested from collaborators." });
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

export const pullRequestRules: readonly Rule[] = [create, read, edit, requestReviewers, issueOfPullRequest];
