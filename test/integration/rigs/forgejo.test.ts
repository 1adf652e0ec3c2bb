import { Ajv, type ValidateFunction } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject } from "../../../src/base/json.ts";
import { durations } from "../../fixtures/durations.ts";
import description from "../../fixtures/forgejo/definitions.json" with { type: "json" };
import { type ForgejoRig, forgejoRig } from "../../rigs/forgejo.ts";
import { at } from "../../rigs/github/api.ts";

const REPOSITORY = durations.fullName;
const ROOT = `/repos/${REPOSITORY}`;
let rig: ForgejoRig;

beforeAll(async () => {
  rig = await forgejoRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [
      { login: "wes", permission: "write" },
      { login: "eve", permission: "none" },
    ],
  });
});

afterAll(() => rig.close());

type Name = keyof typeof description.definitions;

/** Of a directory Forgejo answers no text. */
const POINTERS = ["content", "encoding"];

/** The description has no null: Forgejo answers it for objects, lists and times that are not there. */
const withNull = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) return value.map((each) => withNull(each));
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNull(each, key)]));
  const isPointer = "$ref" in value || value.type === "array" || value.type === "object";
  const mayBeNull = isPointer || value.format === "date-time" || POINTERS.includes(name);
  return mayBeNull ? { anyOf: [inner, { type: "null" }] } : inner;
};

/** Nothing that Forgejo does not have, and everything that it has in the type that it has. */
const validatorOf = (): ((name: Name) => ValidateFunction) => {
  const ajv = new Ajv({ allErrors: true, formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } });
  const definitions = Object.fromEntries(
    Object.entries(description.definitions).map(([name, { type, properties }]) => [
      name,
      { type, properties: withNull(properties), additionalProperties: false },
    ]),
  );
  ajv.addSchema({ $id: "forgejo", definitions });
  return (name) => {
    const validate = ajv.getSchema(`forgejo#/definitions/${name}`);
    if (validate === undefined) throw new Error(`no definition ${name}`);
    return validate;
  };
};

describe("the rig's answers", () => {
  const validator = validatorOf();
  const problemsOf = (name: Name, answer: unknown): string[] => {
    const validate = validator(name);
    const all = Array.isArray(answer) ? answer : [answer];
    expect(all.length).toBeGreaterThan(0);
    return all.flatMap((each) =>
      validate(each)
        ? []
        : (validate.errors ?? []).map(
            (error) => `${name}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`,
          ),
    );
  };
  let issue: number;
  let pull: number;
  let comment: number;
  let review: number;
  let commit: string;

  beforeAll(async () => {
    ({ number: issue } = await rig.openIssue(REPOSITORY, {
      ...{ title: "a", body: "b", author: "wes", labels: ["uwf"] },
    }));
    ({ id: comment } = await rig.comment(REPOSITORY, issue, { body: "c", author: "wes" }));
    await rig.createBranch(REPOSITORY, { name: "x", by: "wes" });
    await rig.writeFile(REPOSITORY, { path: "new.txt", content: "one\n", branch: "x", by: "wes" });
    const opened = await rig.openPullRequest(REPOSITORY, {
      branch: "x",
      title: "t",
      body: "",
      author: "wes",
    });
    pull = opened.number;
    commit = opened.head.commit;
    const comments = [{ path: "new.txt", line: 1, body: "d" }];
    ({ id: review } = await rig.review(REPOSITORY, pull, { author: "wes", verdict: "COMMENT", comments }));
    await rig.tellStatus(REPOSITORY, commit, { context: "ci", state: "success", by: "wes" });
  });

  const get = (path: string) => rig.api(rig.botLogin, "GET", path);

  it.each<[Name, () => string]>([
    ["User", () => "/user"],
    ["Repository", () => ROOT],
    ["RepoCollaboratorPermission", () => `${ROOT}/collaborators/wes/permission`],
    ["Issue", () => `${ROOT}/issues/${issue}`],
    ["Issue", () => `${ROOT}/issues/${pull}`],
    ["Comment", () => `${ROOT}/issues/${issue}/comments`],
    ["TimelineComment", () => `${ROOT}/issues/${issue}/timeline`],
    ["PullRequest", () => `${ROOT}/pulls/${pull}`],
    ["PullRequest", () => `${ROOT}/pulls?state=all`],
    ["PullReview", () => `${ROOT}/pulls/${pull}/reviews`],
    ["PullReviewComment", () => `${ROOT}/pulls/${pull}/reviews/${review}/comments`],
    ["CombinedStatus", () => `${ROOT}/commits/${commit}/status`],
    ["ContentsResponse", () => `${ROOT}/contents/package.json`],
    ["ContentsResponse", () => `${ROOT}/contents/src`],
  ])("have the shape of %s", async (name, path) => {
    expect(problemsOf(name, await get(path()))).toEqual([]);
  });

  it("have the shape of what was made", async () => {
    const post = (path: string, body: object) => rig.api("wes", "POST", `${ROOT}/${path}`, body);

    const problems = [
      problemsOf("Comment", await post(`issues/${issue}/comments`, { body: "e" })),
      problemsOf("Reaction", await post(`issues/comments/${comment}/reactions`, { content: "eyes" })),
      problemsOf("CommitStatus", await post(`statuses/${commit}`, { context: "x", state: "pending" })),
      problemsOf(
        "PullReviewComment",
        await post(`pulls/${pull}/reviews/${review}/comments`, {
          ...{ path: "new.txt", body: "f", new_position: 1 },
        }),
      ),
    ];

    expect(problems.flat()).toEqual([]);
  });

  it("are none for who may not see the repository, and for what is not there", async () => {
    await expect(rig.api("eve", "GET", ROOT)).rejects.toThrow("404");
    await expect(get(`${ROOT}/issues/99`)).rejects.toThrow("404");
    await expect(rig.api("eve", "GET", `${ROOT}/nonsense`)).rejects.toThrow("404");
  });
});

describe("the rig's webhooks", () => {
  /** What is sent while something is done. */
  const during = async (act: () => Promise<unknown>) => {
    await rig.idle();
    const before = rig.delivered.length;
    await act();
    await rig.idle();
    return rig.delivered.slice(before);
  };
  const named = (sent: Awaited<ReturnType<typeof during>>) =>
    sent.map(({ event, action }) => `${event} ${action}`);
  const newIssue = (labels: string[] = []) =>
    rig.openIssue(REPOSITORY, { title: "a", body: "b", author: "wes", labels });

  it("say of labels only which there are now", async () => {
    const { number } = await newIssue();

    const sent = await during(async () => {
      await rig.label(REPOSITORY, number, "uwf", "wes");
      await rig.label(REPOSITORY, number, "bug", "wes");
      await rig.unlabel(REPOSITORY, number, "uwf", "wes");
      await rig.clearLabels(REPOSITORY, number, "wes");
    });

    expect(named(sent)).toEqual([...Array(3).fill("issues label_updated"), "issues label_cleared"]);
    const bodies: unknown[] = sent.map(({ body }) => JSON.parse(body));
    const labels = bodies.map((body) => {
      const list = at(body, "issue", "labels");
      return Array.isArray(list) ? list.map((label) => at(label, "name")) : list;
    });
    expect(labels).toEqual([["uwf"], ["uwf", "bug"], ["bug"], []]);
    expect(bodies.some((body) => isObject(body) && ("label" in body || "changes" in body))).toBe(false);
  });

  it("come twice for an issue that is opened with labels", async () => {
    expect(named(await during(() => newIssue(["uwf"])))).toEqual(["issues opened", "issues label_updated"]);
  });

  it("tell comments, pull requests and reviews by Forgejo's names", async () => {
    await rig.createBranch(REPOSITORY, { name: "y", by: "wes" });
    await rig.writeFile(REPOSITORY, { path: "y.txt", content: "y\n", branch: "y", by: "wes" });

    const sent = await during(async () => {
      const pull = { branch: "y", title: "t", body: "", author: "wes" };
      const { number } = await rig.openPullRequest(REPOSITORY, pull);
      await rig.writeFile(REPOSITORY, { path: "y.txt", content: "z\n", branch: "y", by: "wes" });
      const { id } = await rig.comment(REPOSITORY, number, { body: "c", author: "wes" });
      await rig.editComment(REPOSITORY, id, { body: "d", by: "wes" });
      for (const verdict of ["APPROVE", "REQUEST_CHANGES", "COMMENT"] as const)
        await rig.review(REPOSITORY, number, { author: "acme-owner", verdict, body: "r" });
      await rig.closePullRequest(REPOSITORY, number, "wes");
    });

    expect(named(sent)).toEqual([
      "pull_request opened",
      "pull_request synchronized",
      "issue_comment created",
      "issue_comment edited",
      "pull_request_approved reviewed",
      "pull_request_rejected reviewed",
      "pull_request_comment reviewed",
      "pull_request closed",
    ]);
    expect(JSON.parse(sent[2]?.body ?? "")).toMatchObject({ is_pull: true });
  });
});
