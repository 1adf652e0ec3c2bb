import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import { basicCredentials } from "../../../src/base/redact.ts";
import type { Forge } from "../../../src/forge/forge.ts";
import { githubApp } from "../../../src/forge/github/github-app.ts";
import { githubForges } from "../../../src/forge/github/github-forges.ts";
import { githubLocate } from "../../../src/forge/github/locate.ts";
import type { Remote } from "../../../src/workspace/workspace.ts";
import { durations } from "../../fixtures/durations.ts";
import { git } from "../../rigs/github/git.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
let rig: GithubRig;
let forge: Forge;
let scratch: string;

const forges = (pace: "polite" | "immediate" = "immediate") => {
  const app = githubApp({
    pace,
    appId: Number(rig.env.GITHUB_APP_ID),
    privateKey: rig.env.GITHUB_APP_PRIVATE_KEY,
    webhookSecret: rig.env.GITHUB_WEBHOOK_SECRET,
    apiUrl: rig.apiUrl,
    log: pino({ level: "silent" }),
  });
  return { app, forges: githubForges({ app, webUrl: rig.webUrl, log: silentLog }) };
};

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "uwf-forge-"));
  rig = await githubRig({
    repositories: [
      { fullName: REPOSITORY, from: durations.directory },
      { fullName: "acme/other", from: durations.directory },
    ],
    users: [
      { login: "ada", permission: "admin" },
      { login: "mia", permission: "maintain" },
      { login: "wes", permission: "write" },
      { login: "tom", permission: "triage" },
      { login: "ron", permission: "read" },
      { login: "eve", permission: "none" },
    ],
  });
  forge = await forges().forges.open({
    forge: "github",
    repository: REPOSITORY,
    installationId: rig.installationId,
  });
});

afterAll(async () => {
  await rig.close();
  await rm(scratch, { recursive: true, force: true });
});

const newIssue = () => rig.openIssue(REPOSITORY, { title: "Wrong", body: "It is **wrong**.", author: "wes" });

/** Git with a token in its environment, as the engine runs it. */
const withToken = ({ token }: Pick<Remote, "token">) => ({
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "http.extraHeader",
  GIT_CONFIG_VALUE_0: `Authorization: Basic ${basicCredentials(token ?? "")}`,
});

let clones = 0;
const clone = async (remote: Remote): Promise<string> => {
  const directory = join(scratch, `clone-${++clones}`);
  await git(["clone", "--quiet", remote.url, directory], { env: withToken(remote) });
  await git(["config", "user.name", "uwf"], { cwd: directory });
  await git(["config", "user.email", "uwf@example.com"], { cwd: directory });
  return directory;
};

/** Pushes a commit that adds a file to `branch`, and answers the commit. */
const push = async (
  branch: string,
  { remote, path = `${clones}.txt` }: { remote?: Remote; path?: string } = {},
): Promise<string> => {
  const to = remote ?? (await forge.remote("write"));
  const cwd = await clone(to);
  const there = await git(["ls-remote", "--heads", to.url, branch], { cwd, env: withToken(to) });
  await git(there === "" ? ["checkout", "-q", "-b", branch] : ["checkout", "-q", branch], { cwd });
  await mkdir(dirname(join(cwd, path)), { recursive: true });
  await writeFile(join(cwd, path), "new\n");
  await git(["add", "."], { cwd });
  await git(["commit", "-q", "-m", "Add a file"], { cwd });
  await git(["push", "--quiet", "origin", branch], { cwd, env: withToken(to) });
  return (await git(["rev-parse", "HEAD"], { cwd })).trim();
};

const draft = (branch: string) => ({
  branch,
  base: "main",
  title: "Read milliseconds",
  body: "Closes #1",
  draft: true,
  reviewers: [],
});

describe("permission", () => {
  it.each([
    ["ada", "admin"],
    ["mia", "write"],
    ["wes", "write"],
    ["tom", "read"],
    ["ron", "read"],
    ["eve", "none"],
    ["nobody-there", "none"],
  ])("of %s is %s", async (login, permission) => {
    expect(await forge.permission(login)).toBe(permission);
  });

  it("takes an answer that it does not know for no permission at all", async () => {
    rig.fault({ method: "GET", path: /collaborators\/ada\/permission$/, answer: { status: 200 } });

    await expect(forge.permission("ada")).rejects.toMatchObject({ code: "forge-unclear" });
  });

  it("fails when GitHub fails", async () => {
    rig.fault({ method: "GET", path: /collaborators\/ada\/permission$/, answer: { status: 500 } });

    await expect(forge.permission("ada")).rejects.toMatchObject({
      code: "forge-unavailable",
      remedy: "retry",
    });
  });
});

describe("issues and comments", () => {
  it("reads an issue as it stands", async () => {
    const { number, url } = await newIssue();
    await rig.label(REPOSITORY, number, "uwf", "wes");

    expect(await forge.issue(number)).toEqual({
      number,
      url,
      title: "Wrong",
      body: "It is **wrong**.",
      author: "wes",
      labels: ["uwf"],
      state: "open",
      isPullRequest: false,
    });
  });

  it("reacts once, however often it is told to", async () => {
    const { number } = await newIssue();

    await forge.react({ issue: number }, "eyes");
    await forge.react({ issue: number }, "eyes");

    expect(rig.reactions(REPOSITORY, `issues/${number}`)).toMatchObject([
      { content: "eyes", user: { login: rig.botLogin } },
    ]);
  });

  it("reacts to comments", async () => {
    const { number } = await newIssue();
    const { id } = await rig.comment(REPOSITORY, number, { body: "hm", author: "wes" });

    await forge.react({ comment: id }, "confused");

    expect(rig.reactions(REPOSITORY, `issues/comments/${id}`)).toMatchObject([{ content: "confused" }]);
  });

  it("finds its own comment on a late page, and nobody's copy of it", async () => {
    const { number } = await newIssue();
    const marker = "<!-- uwf:thread:1 -->";
    for (let i = 0; i < 101; i++)
      await rig.comment(REPOSITORY, number, { body: `${marker} copy`, author: "wes" });
    expect(await forge.findComment(number, marker)).toBeUndefined();

    const made = await forge.createComment(number, `${marker}\nWorking.`);
    const found = await forge.findComment(number, marker);

    expect(found).toEqual(made);
    expect(found).toMatchObject({ author: rig.botLogin, body: `${marker}\nWorking.` });
    expect(Math.abs(Date.now() - made.editedAt)).toBeLessThan(60_000);
  });

  it("edits a comment in place", async () => {
    const { number } = await newIssue();
    const { id } = await forge.createComment(number, "before");

    await forge.updateComment(id, "after");

    expect(await rig.comments(REPOSITORY, number)).toMatchObject([{ id, body: "after" }]);
  });

  it("deletes a comment, and takes one that is gone for deleted", async () => {
    const { number } = await newIssue();
    const { id } = await forge.createComment(number, "twice");

    await forge.deleteComment(id);
    await forge.deleteComment(id);

    expect(await rig.comments(REPOSITORY, number)).toEqual([]);
  });
});

describe("git", () => {
  it("clones a private repository with a token for it alone", async () => {
    const remote = await forge.remote("read");
    const directory = await clone(remote);

    expect(remote.url).toBe(`${rig.webUrl}/${REPOSITORY}.git`);
    expect(rig.minted.at(-1)).toMatchObject({
      repositories: ["durations"],
      permissions: { contents: "read" },
    });
    const head = (await git(["rev-parse", "HEAD"], { cwd: directory })).trim();
    expect(head).toBe((await rig.bare(REPOSITORY).branches()).get("main"));
  });

  it("refuses git without a token, with one for another repository, and pushes with one for reading", async () => {
    const other = await forges().forges.open({
      forge: "github",
      repository: "acme/other",
      installationId: rig.installationId,
    });
    const url = rig.gitUrl(REPOSITORY);
    const foreign = await other.remote("read");
    const reading = await forge.remote("read");

    await expect(clone({ url, token: null })).rejects.toThrow(/Authentication|could not read/);
    await expect(clone({ url, token: "ghs_invented" })).rejects.toThrow(/Authentication|could not read/);
    await expect(clone({ url, token: foreign.token })).rejects.toThrow(/403/);
    await expect(push("uwf/no", { remote: reading })).rejects.toThrow(/403/);
  });

  it("pushes no workflow, which needs a permission of its own", async () => {
    const path = ".github/workflows/ci.yml";

    await expect(push("uwf/workflow", { path })).rejects.toThrow(/refusing to allow a GitHub App .*ci\.yml/s);
    expect((await rig.bare(REPOSITORY).branches()).has("uwf/workflow")).toBe(false);
  });

  it("gives a token that may do nothing but git", async () => {
    const { number } = await newIssue();
    const { token } = await forge.remote("write");

    const response = await fetch(`${rig.apiUrl}/repos/${REPOSITORY}/issues/${number}/comments`, {
      method: "POST",
      headers: { authorization: `token ${token}` },
      body: JSON.stringify({ body: "hello" }),
    });

    expect(response.status).toBe(403);
  });

  it("reads files of the default branch, as they are after a push to it", async () => {
    expect(await forge.defaultBranch()).toBe("main");
    expect(await forge.file("package.json")).toContain('"name": "durations"');
    expect(await forge.file("src")).toBeUndefined();
    expect(await forge.file(".github/uwf.yml")).toBeUndefined();

    const file = { path: ".github/uwf.yml", content: "draft: true\n", branch: "main", by: "ada" };
    await rig.writeFile(REPOSITORY, file);

    expect(await forge.file(".github/uwf.yml")).toBe("draft: true\n");
    expect(await rig.bare(REPOSITORY).git("show", "main:.github/uwf.yml")).toBe("draft: true\n");
  });
});

describe("pull requests", () => {
  it("opens a draft from a pushed branch and follows later pushes", async () => {
    const first = await push("uwf/issue-1-one");

    const made = await forge.createPullRequest(draft("uwf/issue-1-one"));
    const second = await push("uwf/issue-1-one");

    expect(made).toMatchObject({ branch: "uwf/issue-1-one", draft: true, state: "open" });
    expect(second).not.toBe(first);
    expect((await rig.pullRequests(REPOSITORY)).find(({ number }) => number === made.number)).toMatchObject({
      title: "Read milliseconds",
      author: rig.botLogin,
      base: "main",
      head: { branch: "uwf/issue-1-one", commit: second },
    });
    expect(await forge.issue(made.number)).toMatchObject({ isPullRequest: true });
  });

  it("answers the open one instead of a second", async () => {
    await push("uwf/issue-2-two");
    const made = await forge.createPullRequest(draft("uwf/issue-2-two"));

    expect(await forge.createPullRequest(draft("uwf/issue-2-two"))).toEqual(made);
    expect(await forge.findPullRequest("uwf/issue-2-two")).toEqual(made);
  });

  it("finds the newest, closed ones too, and none where there is none", async () => {
    await push("uwf/issue-3-three");
    const made = await forge.createPullRequest(draft("uwf/issue-3-three"));
    await rig.closePullRequest(REPOSITORY, made.number, "ada");

    expect(await forge.findPullRequest("uwf/issue-3-three")).toMatchObject({
      number: made.number,
      state: "closed",
    });
    expect(await forge.findPullRequest("uwf/never")).toBeUndefined();
  });

  it("changes title and body", async () => {
    await push("uwf/issue-4-four");
    const { number } = await forge.createPullRequest(draft("uwf/issue-4-four"));

    await forge.updatePullRequest(number, { title: "Better", body: "So." });

    expect(await rig.pullRequests(REPOSITORY)).toContainEqual(
      expect.objectContaining({ number, title: "Better", body: "So." }),
    );
  });

  it("asks those for reviews whom GitHub lets it ask", async () => {
    await push("uwf/issue-5-five");

    const made = await forge.createPullRequest({
      ...draft("uwf/issue-5-five"),
      reviewers: ["eve", "wes", "ada"],
    });

    const [opened] = (await rig.pullRequests(REPOSITORY)).filter(({ number }) => number === made.number);
    expect(opened?.reviewers).toEqual(["wes", "ada"]);
  });

  it("says what GitHub says about a branch that is not there", async () => {
    await expect(forge.createPullRequest(draft("uwf/not-pushed"))).rejects.toMatchObject({
      code: "forge-refused",
      message: expect.stringContaining("uwf/not-pushed"),
    });
  });

  it("opens no draft where drafts are refused", async () => {
    await push("uwf/issue-6-six");
    rig.fault({ method: "POST", path: /\/pulls$/, answer: { status: 422 } });

    expect(await forge.createPullRequest(draft("uwf/issue-6-six"))).toMatchObject({ draft: false });
  });
});

describe("checks", () => {
  it("keeps one check per thread on a commit and moves it", async () => {
    const commit = await push("uwf/issue-7-seven");
    const check = { commit, thread: "T1", summary: "At it.", url: null };

    await forge.setCheck({ ...check, status: "running" });
    await forge.setCheck({ ...check, thread: "T2", status: "neutral" });
    await forge.setCheck({ ...check, status: "success", summary: "Done.", url: "https://example.com/1" });

    const checks = await rig.checks(REPOSITORY, commit);
    expect(checks.sort((a, b) => a.thread.localeCompare(b.thread))).toEqual([
      { name: "uwf", status: "completed", conclusion: "success", thread: "T1", summary: "Done." },
      { name: "uwf", status: "completed", conclusion: "neutral", thread: "T2", summary: "At it." },
    ]);
  });
});

describe("who the bot is", () => {
  it("signs commits with the bot's own address, and credits people with theirs", async () => {
    const author = await forge.botAuthor();

    expect(author.name).toBe("uwf[bot]");
    expect(author.email).toMatch(/^\d+\+uwf\[bot\]@users\.noreply\.github\.com$/);
    expect(forge.userAuthor({ login: "wes", id: 7 })).toEqual({
      name: "wes",
      email: "7+wes@users.noreply.github.com",
    });
  });

  it("finds the installation itself when the event named none", async () => {
    const found = await forges().forges.open({
      forge: "github",
      repository: "acme/other",
      installationId: null,
    });

    expect(await found.defaultBranch()).toBe("main");
  });

  it("finds a repository by its name alone, as events name it", async () => {
    const locate = githubLocate(forges().app);

    expect(await locate("acme/other")).toEqual({
      ...{ forge: "github", repository: "acme/other", installationId: rig.installationId },
      repositoryId: expect.any(Number),
    });
    await expect(locate("acme/nowhere")).rejects.toMatchObject({ code: "forge-missing" });
    await expect(locate("nowhere")).rejects.toMatchObject({ code: "forge-repository" });
  });

  it("tells a repository without the App from one with a wrong name", async () => {
    const opening = forges().forges;

    await expect(
      opening.open({ forge: "github", repository: "acme/nowhere", installationId: null }),
    ).rejects.toMatchObject({
      code: "forge-missing",
      remedy: "fix-input",
    });
    await expect(
      opening.open({ forge: "github", repository: "nowhere", installationId: 1 }),
    ).rejects.toMatchObject({
      code: "forge-repository",
    });
  });
});

describe("failures", () => {
  const read = /\/repos\/acme\/durations$/;

  it.each([
    [{ status: 403 }, { code: "forge-denied", remedy: "fix-config" }],
    [{ status: 404 }, { code: "forge-missing", remedy: "fix-input" }],
    [{ status: 410 }, { code: "forge-missing", remedy: "fix-input" }],
    [{ status: 400 }, { code: "forge-refused", remedy: "fix-input" }],
    [{ status: 500 }, { code: "forge-unavailable", remedy: "retry" }],
    [{ status: 429 }, { code: "forge-unavailable", retryAfterMs: 60_000 }],
    [
      { status: 429, headers: { "retry-after": "7" } },
      { code: "forge-unavailable", remedy: "retry", retryAfterMs: 7000 },
    ],
    [
      { status: 403, headers: { "retry-after": "7" } },
      { code: "forge-unavailable", retryAfterMs: 7000 },
    ],
    [
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" } },
      { code: "forge-unavailable", retryAfterMs: 1000 },
    ],
    ["cut" as const, { code: "forge-unavailable", remedy: "retry" }],
  ])("%j becomes %j", async (answer, expected) => {
    rig.fault({ method: "GET", path: read, answer });

    const failure = forge.defaultBranch();

    await expect(failure).rejects.toMatchObject({
      ...expected,
      message: expect.stringContaining(REPOSITORY),
    });
  });
});

describe("a client with manners", () => {
  const limit = (seconds: number) => ({
    status: 403,
    headers: {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + seconds),
    },
  });
  const polite = () =>
    forges("polite").forges.open({
      forge: "github",
      repository: REPOSITORY,
      installationId: rig.installationId,
    });

  it("waits out a short rate limit", async () => {
    rig.fault({ method: "GET", path: /\/repos\/acme\/durations$/, answer: limit(0) });

    expect(await (await polite()).defaultBranch()).toBe("main");
  });

  it("leaves a long one to the queue", async () => {
    rig.fault({ method: "GET", path: /\/repos\/acme\/durations$/, answer: limit(600) });

    const failure = await (await polite()).defaultBranch().catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: "forge-unavailable", remedy: "retry" });
    expect((failure as AppError).retryAfterMs).toBeGreaterThan(500_000);
  });

  it("posts no comment twice when an answer is lost", async () => {
    const { number } = await newIssue();
    rig.fault({ method: "POST", path: /\/comments$/, answer: { status: 502 } });

    await expect((await polite()).createComment(number, "once")).rejects.toMatchObject({
      code: "forge-unavailable",
    });
    expect(await rig.comments(REPOSITORY, number)).toEqual([]);
  });
});

describe("webhooks of the rig", () => {
  it("are complete, signed and repeatable, and the App verifies them", async () => {
    const { app } = forges();
    const { number } = await newIssue();
    await rig.label(REPOSITORY, number, "uwf", "wes");
    await expect
      .poll(() => rig.delivered.filter(({ action }) => action === "labeled").at(-1)?.body)
      .toContain(`"number":${number}`);
    const delivery = rig.delivered.filter(({ action }) => action === "labeled").at(-1);
    const body = delivery?.body ?? "";

    expect(delivery?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(body)).toMatchObject({
      installation: { id: rig.installationId },
      organization: { login: "acme" },
      label: { name: "uwf", description: "Let the bot work on it" },
      sender: { login: "wes", type: "User" },
    });
    expect(app.verify(Buffer.from(body), rig.signatureOf(body))).toBe(true);
    expect(app.verify(Buffer.from(`${body} `), rig.signatureOf(body))).toBe(false);
    expect(await rig.redeliver(delivery?.id ?? "")).toMatchObject({ id: delivery?.id, body });
  });
});
