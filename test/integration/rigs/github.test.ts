import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { durations } from "../../fixtures/durations.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
let rig: GithubRig;
let branch: string;
let branches = 0;
let heard: number;

beforeAll(async () => {
  rig = await githubRig({
    repositories: [
      { fullName: REPOSITORY, from: durations.directory },
      { fullName: "acme/plain", from: durations.directory, drafts: false },
      { fullName: "other/one", from: durations.directory },
    ],
    users: [
      { login: "mona", permission: "write" },
      { login: "eve", permission: "read" },
    ],
  });
});
afterAll(() => rig.close());
beforeEach(() => {
  branch = `change-${++branches}`;
  heard = rig.delivered.length;
});

/** What was sent since the test began, parsed. */
const sent = (event: string, action?: string) =>
  rig.delivered
    .slice(heard)
    .filter((each) => each.event === event && (action === undefined || each.action === action))
    .map(({ body }) => JSON.parse(body));

const openPull = async (repository = REPOSITORY) => {
  await rig.createBranch(repository, { name: branch, by: "mona" });
  await rig.writeFile(repository, { path: "notes.md", content: `one\ntwo\n${branch}\n`, branch, by: "mona" });
  return rig.openPullRequest(repository, { branch, title: "Notes", body: "Some.", author: "mona" });
};

describe("pull requests of the rig", () => {
  it("follow their branch and say so, by git's own ref too", async () => {
    const { number, head } = await openPull();

    await rig.writeFile(REPOSITORY, { path: "notes.md", content: "one\n", branch, by: "mona" });

    const [synchronized] = sent("pull_request", "synchronize");
    const [now] = await rig.pullRequests(REPOSITORY);
    expect(now?.head.commit).not.toBe(head.commit);
    expect(synchronized).toMatchObject({
      number,
      before: head.commit,
      after: now?.head.commit,
      pull_request: { head: { sha: now?.head.commit } },
      sender: { login: "mona" },
      installation: { id: rig.installationId },
    });
    expect(await rig.bare(REPOSITORY).git("rev-parse", `refs/pull/${number}/head`)).toContain(
      now?.head.commit,
    );
  });

  it("are merged as they are now, and close what they say", async () => {
    const issue = await rig.openIssue(REPOSITORY, { title: "t", body: "", author: "mona" });
    await rig.createBranch(REPOSITORY, { name: branch, by: "mona" });
    await rig.writeFile(REPOSITORY, { path: "merged.md", content: "one\n", branch, by: "mona" });
    const body = `Closes #${issue.number}`;
    const pull = { branch, title: "Merge me", body, author: "mona" };
    const { number } = await rig.openPullRequest(REPOSITORY, pull);
    await rig.writeFile(REPOSITORY, { path: "merged.md", content: "two\n", branch, by: "mona" });

    await rig.mergePullRequest(REPOSITORY, number, "mona");

    expect(await rig.bare(REPOSITORY).git("show", "main:merged.md")).toBe("two\n");
    const merged = (await rig.pullRequests(REPOSITORY)).find((each) => each.number === number);
    expect(merged).toMatchObject({ state: "closed", merged: true });
    await expect.poll(() => sent("issues", "closed")).toMatchObject([{ issue: { number: issue.number } }]);
    await expect
      .poll(() => sent("pull_request", "closed"))
      .toMatchObject([{ number, pull_request: { merged: true } }]);
    await expect(rig.mergePullRequest(REPOSITORY, number, "mona")).rejects.toThrow(/405/);
  });

  it("are closed with their branch", async () => {
    const { number, head } = await openPull();

    await rig.deleteBranch(REPOSITORY, { name: branch, by: "mona" });

    const closed = (await rig.pullRequests(REPOSITORY)).find((each) => each.number === number);
    expect(closed).toMatchObject({ state: "closed", merged: false, head: { commit: head.commit } });
    await expect.poll(() => sent("pull_request", "closed")).toMatchObject([{ number }]);
  });

  it("are labelled and commented on as what they are", async () => {
    const { number } = await openPull();

    await rig.label(REPOSITORY, number, "uwf", "mona");
    const { id } = await rig.comment(REPOSITORY, number, { body: "/fix", author: "mona" });
    await rig.editComment(REPOSITORY, id, { body: "/fix it", by: "mona" });

    await expect.poll(() => sent("issue_comment", "edited")).toHaveLength(1);
    expect(sent("issues", "labeled")).toEqual([]);
    expect(sent("pull_request", "labeled")).toMatchObject([
      { number, pull_request: { number }, label: { name: "uwf", default: false } },
    ]);
    expect(sent("issue_comment", "created")).toMatchObject([
      { issue: { number, pull_request: { html_url: expect.stringContaining(`/pull/${number}`) } } },
    ]);
    expect(sent("issue_comment", "edited")).toMatchObject([
      { changes: { body: { from: "/fix" } }, comment: { body: "/fix it" } },
    ]);
  });

  it("come from a fork whose branch is not here", async () => {
    await rig.createBranch(REPOSITORY, { name: branch, by: "mona" });
    await rig.writeFile(REPOSITORY, { path: "fork.md", content: "one\n", branch, by: "mona" });
    const pull = { branch, title: "From afar", body: "", author: "mona", fork: "mona/durations" };

    const { number, head } = await rig.openPullRequest(REPOSITORY, pull);

    const bare = rig.bare(REPOSITORY);
    expect(await bare.branches()).not.toHaveProperty(branch);
    expect(await bare.git("rev-parse", `refs/pull/${number}/head`)).toContain(head.commit);
  });
});

describe("faults of the rig", () => {
  const created = (title: string) =>
    rig.openIssue(REPOSITORY, { title, body: "", author: "mona" }).then(
      ({ number }) => number,
      () => null,
    );
  const titles = async () => {
    const response = await fetch(`${rig.apiUrl}/repos/${REPOSITORY}/issues?state=all`, {
      headers: { authorization: `token ${rig.tokenOf("mona")}` },
    });
    return ((await response.json()) as { title: string }[]).map(({ title }) => title);
  };
  const onIssues = { method: "POST", path: /\/issues$/ };

  it("lose answers of what was done, cut what was not, and are slow", async () => {
    rig.fault({ ...onIssues, answer: "lost" });
    rig.fault({ ...onIssues, answer: "cut" });
    rig.fault({ ...onIssues, body: /later/, answer: { delayMs: 200 } });

    expect(await created("lost")).toBeNull();
    expect(await created("cut")).toBeNull();
    const before = Date.now();
    expect(await created("later")).not.toBeNull();

    expect(Date.now() - before).toBeGreaterThanOrEqual(190);
    expect(await titles()).toEqual(expect.arrayContaining(["lost", "later"]));
    expect(await titles()).not.toContain("cut");
  });

  it.each([401, 403, 404, 409, 422, 429, 500])(
    "answer %i with headers and body of choice",
    async (status) => {
      const headers = { "retry-after": "7" };
      rig.fault({ ...onIssues, answer: { status, headers, body: { message: "so" } } });

      const response = await fetch(`${rig.apiUrl}/repos/${REPOSITORY}/issues`, {
        method: "POST",
        body: "{}",
      });

      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe("7");
      expect(await response.json()).toEqual({ message: "so" });
    },
  );
});

describe("reviews of the rig", () => {
  it("hold conversations that people answer and resolve, and follow the lines", async () => {
    const { number } = await openPull();
    const comments = [{ path: "notes.md", line: 2, body: "Why?" }];

    const { id, conversations } = await rig.review(REPOSITORY, number, {
      ...{ author: "eve", verdict: "REQUEST_CHANGES", body: "Please.", comments },
    });
    const [conversation = 0] = conversations;
    await rig.reply(REPOSITORY, number, { conversation, author: "mona", body: "Because." });
    await rig.resolve(REPOSITORY, number, { conversation, by: "mona" });

    expect(sent("pull_request_review", "submitted")).toMatchObject([
      {
        review: { id, state: "changes_requested", body: "Please.", user: { login: "eve", type: "User" } },
        pull_request: { number },
        sender: { login: "eve" },
      },
      { review: { state: "commented", body: null }, sender: { login: "mona" } },
    ]);
    expect(await rig.conversations(REPOSITORY, number)).toEqual([
      {
        ...{ id: conversation, path: "notes.md", line: 2, isResolved: true },
        comments: [
          { author: "eve", body: "Why?" },
          { author: "mona", body: "Because." },
        ],
      },
    ]);
  });

  it("refuse lines that the diff does not show, and approval of one's own", async () => {
    const { number } = await openPull();
    const comments = [{ path: "notes.md", line: 9, body: "?" }];

    await expect(
      rig.review(REPOSITORY, number, { author: "eve", verdict: "COMMENT", comments }),
    ).rejects.toThrow(/422.*must be part of the diff/);
    await expect(rig.review(REPOSITORY, number, { author: "mona", verdict: "APPROVE" })).rejects.toThrow(
      /422/,
    );
    expect(await rig.reviews(REPOSITORY, number)).toEqual([]);
  });
});

describe("checks of the rig", () => {
  it("tell of a suite when all of it has finished", async () => {
    const { head } = await openPull();
    const tell = (conclusion?: "failure") =>
      rig.tellChecks(REPOSITORY, head.commit, {
        checks: [
          { name: "lint", conclusion: "success" },
          { name: "test", ...(conclusion && { conclusion }) },
        ],
      });

    await tell();
    expect(sent("check_suite")).toEqual([]);
    await tell("failure");

    expect(sent("check_suite", "completed")).toMatchObject([
      {
        check_suite: {
          ...{ head_sha: head.commit, head_branch: branch, conclusion: "failure" },
          app: { slug: "github-actions" },
        },
      },
    ]);
  });

  it("tell of statuses", async () => {
    const { head } = await openPull();
    const status = { context: "ci/old", state: "failure", description: "no", by: "mona" } as const;

    await rig.tellStatus(REPOSITORY, head.commit, status);

    expect(sent("status")).toMatchObject([
      { sha: head.commit, state: "failure", context: "ci/old", branches: [{ name: branch }] },
    ]);
  });
});

describe("installations of the rig", () => {
  const openIssue = () => rig.openIssue("other/one", { title: "t", body: "", author: "other-owner" });

  it("tell that they changed, and then nothing more where the App is gone", async () => {
    await rig.changeInstallation("other", "suspend");
    await rig.selectRepository("acme/plain", "removed");
    const { number } = await openIssue();
    await rig.label("other/one", number, "uwf", "other-owner");
    expect(sent("installation", "suspend")).toMatchObject([
      { installation: { account: { login: "other" } }, repositories: [{ full_name: "other/one" }] },
    ]);
    expect(sent("installation_repositories", "removed")).toMatchObject([
      { repositories_removed: [{ full_name: "acme/plain" }], repositories_added: [] },
    ]);

    await rig.changeInstallation("other", "unsuspend");
    await rig.selectRepository("acme/plain", "added");
    await rig.label("other/one", number, "again", "other-owner");

    await expect.poll(() => sent("issues", "labeled")).toHaveLength(1);
    expect(sent("issues", "labeled")).toMatchObject([{ label: { name: "again" } }]);
  });
});
