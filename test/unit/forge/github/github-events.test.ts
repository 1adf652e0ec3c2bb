import { describe, expect, it } from "vitest";
import { parseGithubEvent } from "../../../../src/forge/github/github-events.ts";

const payload = {
  action: "labeled",
  issue: {
    number: 5,
    title: "Wrong",
    body: "It is wrong.",
    html_url: "https://github.com/acme/durations/issues/5",
    state: "open",
    user: { login: "wes", id: 2 },
    labels: [],
  },
  label: { id: 1, name: "uwf", color: "ffffff" },
  repository: { id: 9, full_name: "acme/durations", default_branch: "main", private: true },
  organization: { login: "acme" },
  installation: { id: 7001, node_id: "x" },
  sender: { login: "ada", id: 1, type: "User", site_admin: false },
};

const parse = (body: unknown, event = "issues", appId: number | null = null) =>
  parseGithubEvent(
    { id: "d-1", event, body: typeof body === "string" ? body : JSON.stringify(body) },
    { appId },
  );

const about = {
  forge: "github",
  installationId: 7001,
  repository: "acme/durations",
  repositoryId: 9,
  defaultBranch: "main",
  sender: { login: "ada", id: 1, isBot: false },
};
const { issue: _issue, label: _label, action: _action, ...common } = payload;
const pull_request = {
  ...payload.issue,
  number: 8,
  html_url: "https://github.com/acme/durations/pull/8",
  labels: [],
};
const pullRequest = {
  number: 8,
  title: "Wrong",
  body: "It is wrong.",
  url: "https://github.com/acme/durations/pull/8",
  author: "wes",
  state: "open",
  isPullRequest: true,
};
const commit = "c".repeat(40);

describe("parseGithubEvent", () => {
  it("reads a labelled issue in the bot's own words", () => {
    expect(parse(payload)).toEqual({
      kind: "issue-labelled",
      forge: "github",
      installationId: 7001,
      repository: "acme/durations",
      repositoryId: 9,
      defaultBranch: "main",
      sender: { login: "ada", id: 1, isBot: false },
      label: "uwf",
      issue: {
        number: 5,
        title: "Wrong",
        body: "It is wrong.",
        url: "https://github.com/acme/durations/issues/5",
        author: "wes",
        state: "open",
        isPullRequest: false,
      },
    });
  });

  it("takes what GitHub leaves out", () => {
    const { installation: _, ...rest } = payload;
    const bare = { ...rest, issue: { ...payload.issue, body: null, user: null } };

    expect(parse(bare)).toMatchObject({ installationId: null, issue: { body: "", author: "ghost" } });
  });

  it.each([["Bot"], ["Organization"], [undefined]])("takes a sender of type %s for no person", (type) => {
    expect(parse({ ...payload, sender: { ...payload.sender, type } })).toMatchObject({
      sender: { isBot: true },
    });
  });

  it.each([
    ["issues", { ...payload, action: "unlabeled" }],
    ["issues", { ...payload, action: "opened" }],
    ["pull_request", { ...payload, action: "opened" }],
    ["ping", { zen: "Design for failure." }],
    ["constructor", {}],
    ["issues", []],
  ])("does not listen to %s with %j", (event, body) => {
    expect(parse(body, event)).toBeNull();
  });

  it("reads an event whose action does not come first", () => {
    const { action, ...rest } = payload;

    expect(parse({ ...rest, action })).toMatchObject({ kind: "issue-labelled" });
    expect(parse(`{ "issue": { "action": "edited" }, ${JSON.stringify(payload).slice(1)}`)).not.toBeNull();
  });

  it("reads no more of an event than it takes to know that nobody listens to it", () => {
    expect(parse('{ "action" : "edited", cut off')).toBeNull();
    expect(parse("cut off", "push")).toBeNull();
  });

  it.each([
    ["no JSON", "{", /no JSON/],
    ["no label", { ...payload, label: undefined }, /label/],
    ["no issue", { ...payload, issue: undefined }, /issue/],
    [
      "a repository without an owner",
      { ...payload, repository: { full_name: "x", default_branch: "m" } },
      /full_name/,
    ],
  ])("says what is wrong with %s", (_, body, problem) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "webhook-malformed" }));
    expect(() => parse(body)).toThrow(problem);
  });
});

describe("the other events of GitHub", () => {
  it("reads a label on a pull request", () => {
    const labelled = { action: "labeled", number: 8, pull_request, label: { name: "uwf" }, ...common };

    expect(parse(labelled, "pull_request")).toEqual({
      kind: "issue-labelled",
      ...about,
      issue: pullRequest,
      label: "uwf",
    });
  });

  const comment = {
    id: 91,
    body: "/solve",
    html_url: "https://github.com/acme/durations/issues/5#issuecomment-91",
    created_at: "2026-01-05T09:00:00Z",
    user: null,
  };

  it("reads a new comment, with its time", () => {
    const created = { action: "created", issue: payload.issue, comment, ...common };

    expect(parse(created, "issue_comment")).toMatchObject({
      kind: "commented",
      ...about,
      issue: { number: 5, isPullRequest: false },
      comment: { id: 91, body: "/solve", url: comment.html_url, at: Date.UTC(2026, 0, 5, 9) },
    });
  });

  it("tells comments on pull requests from those on issues", () => {
    const issue = { ...payload.issue, pull_request: { url: "https://api.github.com/…" } };

    expect(parse({ action: "created", issue, comment, ...common }, "issue_comment")).toMatchObject({
      issue: { isPullRequest: true },
    });
  });

  it("takes no edit and no removal of a comment for a comment", () => {
    const edited = { issue: payload.issue, comment, changes: { body: { from: "hm" } }, ...common };

    expect(parse({ action: "edited", ...edited }, "issue_comment")).toBeNull();
    expect(parse({ action: "deleted", ...edited }, "issue_comment")).toBeNull();
  });

  it.each([
    ["approved", "approved"],
    ["changes_requested", "changes-requested"],
    ["commented", "commented"],
    ["COMMENTED", "commented"],
  ])("reads a review that is %s", (state, verdict) => {
    const review = { id: 3, body: null, html_url: "https://github.com/r", state, user: null };

    expect(parse({ action: "submitted", review, pull_request, ...common }, "pull_request_review")).toEqual({
      kind: "reviewed",
      ...about,
      issue: pullRequest,
      review: { id: 3, verdict, body: "", url: "https://github.com/r" },
    });
  });

  it("takes a review of another kind for nothing", () => {
    const review = { id: 3, body: "", html_url: "https://github.com/r", state: "pending" };

    expect(parse({ action: "submitted", review, pull_request, ...common }, "pull_request_review")).toBeNull();
  });

  const suite = { head_sha: commit, head_branch: "uwf/issue-5", conclusion: "failure", app: { id: 15368 } };
  const finished = (check_suite: object, appId: number | null = 4242) =>
    parse({ action: "completed", check_suite, ...common }, "check_suite", appId);

  it("reads that checks have finished", () => {
    expect(finished(suite)).toEqual({
      kind: "checks-finished",
      ...about,
      commit,
      branch: "uwf/issue-5",
      passed: false,
    });
    expect(finished({ ...suite, head_branch: null })).toMatchObject({ branch: null });
  });

  it.each([
    ["success", true],
    ["neutral", true],
    ["skipped", true],
    ["cancelled", false],
    ["timed_out", false],
    [null, false],
  ])("takes the conclusion %s for passed: %s", (conclusion, passed) => {
    expect(finished({ ...suite, conclusion })).toMatchObject({ passed });
  });

  it("leaves out the App's own checks", () => {
    expect(finished({ ...suite, app: { id: 4242 } })).toBeNull();
    expect(finished({ ...suite, app: { id: 4242 } }, null)).not.toBeNull();
    expect(finished({ ...suite, app: null })).not.toBeNull();
  });

  it("reads statuses that are final", () => {
    const status = (state: string, branches: object[] = []) =>
      parse({ id: 1, sha: commit, state, context: "ci", branches, ...common }, "status");
    const [one, two] = ["a", "b"].map((name) => ({ name, commit: { sha: commit } }));

    expect(status("failure", [one ?? {}])).toEqual({
      kind: "checks-finished",
      ...about,
      commit,
      branch: "a",
      passed: false,
    });
    expect(status("success", [one ?? {}, two ?? {}])).toMatchObject({ passed: true, branch: null });
    expect(status("error")).toMatchObject({ passed: false, branch: null });
    expect(status("pending")).toBeNull();
  });

  const installation = { id: 7001, account: { login: "acme" }, repository_selection: "selected" };
  const repositories = [{ id: 1, full_name: "acme/durations" }];
  const { repository: _repository, installation: _installation, ...noRepository } = common;
  const installed = (action: string, more: object = {}) =>
    parse({ action, installation, repositories, ...noRepository, ...more }, "installation");

  it.each([
    ["created", "added", ["acme/durations"]],
    ["unsuspend", "added", ["acme/durations"]],
    ["deleted", "removed", null],
    ["suspend", "removed", null],
  ])("reads that an installation is %s", (action, change, names) => {
    expect(installed(action)).toEqual({
      kind: "installation-changed",
      forge: "github",
      installationId: 7001,
      sender: about.sender,
      account: "acme",
      change,
      repositories: names,
    });
  });

  it("takes an installation on everything for all repositories", () => {
    const all = { installation: { ...installation, repository_selection: "all" } };

    expect(installed("created", all)).toMatchObject({ repositories: null });
    expect(installed("new_permissions_accepted")).toBeNull();
  });

  it.each([
    ["added", ["acme/new"]],
    ["removed", ["acme/old"]],
  ])("reads that repositories were %s", (action, names) => {
    const changed = {
      action,
      installation,
      repositories_added: [{ full_name: "acme/new" }],
      repositories_removed: [{ full_name: "acme/old" }],
      ...noRepository,
    };

    expect(parse(changed, "installation_repositories")).toMatchObject({
      kind: "installation-changed",
      account: "acme",
      change: action,
      repositories: names,
    });
  });

  it("takes an event without a sender for nobody's", () => {
    expect(parse({ ...payload, sender: null })).toMatchObject({ sender: { login: "ghost", isBot: true } });
  });
});
