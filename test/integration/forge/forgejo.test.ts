import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { basicCredentials } from "../../../src/base/redact.ts";
import type { Forge } from "../../../src/forge/forge.ts";
import { forgejoForges } from "../../../src/forge/forgejo/forgejo-forges.ts";
import { durations } from "../../fixtures/durations.ts";
import { type ForgejoRig, type ForgejoRigOptions, forgejoRig } from "../../rigs/forgejo.ts";
import { git } from "../../rigs/github/git.ts";

const REPOSITORY = durations.fullName;
const place = { forge: "forgejo", repository: REPOSITORY, installationId: null } as const;

const rigWith = (bot: NonNullable<ForgejoRigOptions["bot"]> = {}) =>
  forgejoRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [
      { login: "ada", permission: "admin" },
      { login: "wes", permission: "write" },
      { login: "ron", permission: "read" },
      { login: "eve", permission: "none" },
    ],
    bot,
  });

const forgesOf = ({ env }: ForgejoRig, { token = env.FORGEJO_TOKEN, timeoutMs = 30_000 } = {}) =>
  forgejoForges({ url: env.FORGEJO_URL, token, log: silentLog, timeoutMs });

let rig: ForgejoRig;
let forge: Forge;

beforeAll(async () => {
  rig = await rigWith();
  forge = await forgesOf(rig).open(place);
});

afterAll(() => rig.close());

const newIssue = () => rig.openIssue(REPOSITORY, { title: "Wrong", body: "It is **wrong**.", author: "wes" });

/** A branch with a commit of its own; answers the commit. */
const branchWith = async (name: string): Promise<string> => {
  await rig.createBranch(REPOSITORY, { name, by: "wes" });
  await rig.writeFile(REPOSITORY, { path: "new.txt", content: `${name}\n`, branch: name, by: "wes" });
  return (await rig.bare(REPOSITORY).branches()).get(name) ?? "";
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
    ["acme-owner", "admin"],
    ["ada", "admin"],
    ["wes", "write"],
    ["ron", "read"],
    ["eve", "none"],
    ["nobody-there", "none"],
  ])("of %s is %s", async (login, permission) => {
    expect(await forge.permission(login)).toBe(permission);
  });

  it("takes an answer that it does not know for no permission at all", async () => {
    rig.fault({
      method: "GET",
      path: /ada\/permission$/,
      answer: { status: 200, body: { permission: "all" } },
    });

    await expect(forge.permission("ada")).rejects.toMatchObject({ code: "forge-unclear", remedy: "retry" });
  });

  it("fails, and says what the bot must be, where it is no administrator", async () => {
    await rig.setPermission(REPOSITORY, rig.botLogin, "write");

    const asked = forge.permission("wes");

    await expect(asked).rejects.toMatchObject({
      code: "forge-denied",
      remedy: "fix-config",
      hint: expect.stringContaining("administrator of the repository"),
    });
    await rig.setPermission(REPOSITORY, rig.botLogin, "admin");
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

  it("reacts once, however often it is told to, to issues and comments", async () => {
    const { number } = await newIssue();
    const { id } = await rig.comment(REPOSITORY, number, { body: "hm", author: "wes" });

    await forge.react({ issue: number }, "eyes");
    await forge.react({ issue: number }, "eyes");
    await forge.react({ comment: id }, "confused");

    const by = { user: { login: rig.botLogin } };
    expect(rig.reactions(REPOSITORY, `issues/${number}`)).toEqual([{ content: "eyes", ...by }]);
    expect(rig.reactions(REPOSITORY, `issues/comments/${id}`)).toEqual([{ content: "confused", ...by }]);
  });

  it("does without a reaction that the server does not allow", async () => {
    const { number } = await newIssue();
    rig.fault({ method: "POST", path: /\/reactions$/, answer: { status: 403 } });

    await forge.react({ issue: number }, "rocket");

    expect(rig.reactions(REPOSITORY, `issues/${number}`)).toEqual([]);
  });

  it("finds its own comment among many, and nobody's copy of it", async () => {
    const { number } = await newIssue();
    const marker = "<!-- uwf:thread:1 -->";
    for (let i = 0; i < 60; i++)
      await rig.comment(REPOSITORY, number, { body: `${marker} copy`, author: "wes" });
    expect(await forge.findComment(number, marker)).toBeUndefined();

    const made = await forge.createComment(number, `${marker}\nWorking.`);
    await forge.createComment(number, `${marker}\nA second.`);

    expect(await forge.findComment(number, marker)).toEqual(made);
    expect(made).toMatchObject({ author: rig.botLogin, body: `${marker}\nWorking.` });
    expect(Math.abs(Date.now() - made.editedAt)).toBeLessThan(60_000);
  });

  it("edits a comment in place, deletes one, and takes one that is gone for deleted", async () => {
    const { number } = await newIssue();
    const { id } = await forge.createComment(number, "before");

    await forge.updateComment(id, "after");
    expect(await rig.comments(REPOSITORY, number)).toMatchObject([{ id, body: "after" }]);
    await forge.deleteComment(id);
    await forge.deleteComment(id);

    expect(await rig.comments(REPOSITORY, number)).toEqual([]);
  });
});

describe("labels", () => {
  it("finds the newest addition behind several pages of other things", async () => {
    const { number } = await newIssue();
    await rig.label(REPOSITORY, number, "uwf", "ada");
    const first = await forge.labelAddition?.(number, "uwf");
    for (let i = 0; i < 101; i++) await rig.comment(REPOSITORY, number, { body: "+1", author: "ron" });
    await rig.unlabel(REPOSITORY, number, "uwf", "ada");
    await rig.label(REPOSITORY, number, "other", "ada");
    await rig.label(REPOSITORY, number, "uwf", "wes");

    const newest = await forge.labelAddition?.(number, "UWF");

    expect(newest).toMatchObject({ by: "wes" });
    expect(newest?.id).not.toBe(first?.id);
    expect(Math.abs((newest?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it("finds none where the label never was", async () => {
    const { number } = await newIssue();

    expect(await forge.labelAddition?.(number, "uwf")).toBeUndefined();
  });
});

describe("git", () => {
  let scratch: string;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "uwf-forge-"));
  });
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  /** Git with a token in its environment, as the engine runs it. */
  const withToken = (token: string | null) => ({
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basicCredentials(token ?? "")}`,
  });

  it("clones and pushes with the bot's token as password; the pull request follows", async () => {
    const { url, token } = await forge.remote("write");
    const cwd = join(scratch, "clone");
    const env = withToken(token);
    await branchWith("uwf/issue-1-git");
    const { number } = await forge.createPullRequest(draft("uwf/issue-1-git"));

    await git(["clone", "--quiet", "--branch", "uwf/issue-1-git", url, cwd], { env });
    await writeFile(join(cwd, "more.txt"), "more\n");
    await git(["add", "."], { cwd });
    await git(["-c", "user.name=uwf", "-c", "user.email=u@e", "commit", "-q", "-m", "More"], { cwd });
    await git(["push", "--quiet", "origin", "HEAD"], { cwd, env });

    const commit = (await git(["rev-parse", "HEAD"], { cwd })).trim();
    expect(url).toBe(`${rig.webUrl}/${REPOSITORY}.git`);
    expect((await forge.pullRequest(number)).head).toEqual({ commit, repository: REPOSITORY });
  });

  it("refuses git without a token and with one that nobody knows", async () => {
    const clone = (token: string | null) =>
      git(["clone", "--quiet", rig.gitUrl(REPOSITORY), join(scratch, "no")], { env: withToken(token) });

    await expect(clone(null)).rejects.toThrow(/Authentication|could not read/);
    await expect(clone("invented")).rejects.toThrow(/Authentication|could not read/);
  });

  it("reads files of the default branch", async () => {
    expect(await forge.defaultBranch()).toBe("main");
    expect(await forge.file("package.json")).toContain('"name": "durations"');
    expect(await forge.file("src")).toBeUndefined();
    expect(await forge.file(".forgejo/uwf.yml")).toBeUndefined();

    const file = { path: ".forgejo/uwf.yml", content: "draft: never\n", branch: "main", by: "ada" };
    await rig.writeFile(REPOSITORY, file);

    expect(await forge.file(".forgejo/uwf.yml")).toBe("draft: never\n");
  });
});

describe("checks", () => {
  it("keeps one status of its own on a commit and moves it", async () => {
    const commit = await branchWith("checks-own");

    await forge.setCheck({ commit, thread: "T1", status: "running", summary: "At it.\n\nMore.", url: null });
    await forge.setCheck({
      commit,
      thread: "T1",
      status: "success",
      summary: "Done.",
      url: "https://e.com/1",
    });

    expect(rig.statuses(REPOSITORY, commit)).toEqual([
      { context: "uwf", state: "success", description: "Done.", url: "https://e.com/1", by: rig.botLogin },
    ]);
  });

  it.each([
    ["running", "pending"],
    ["failure", "failure"],
    ["neutral", "warning"],
  ] as const)("says %s as %s", async (status, state) => {
    const commit = await branchWith(`checks-${status}`);

    await forge.setCheck({ commit, thread: "T1", status, summary: "x", url: null });

    expect(rig.statuses(REPOSITORY, commit)).toMatchObject([{ state }]);
  });

  it("reports what others say, and not what it says itself", async () => {
    const commit = await branchWith("checks-others");
    const tell = (context: string, state: "pending" | "success" | "failure" | "warning") =>
      rig.tellStatus(REPOSITORY, commit, {
        context,
        state,
        description: `${context}!`,
        url: "/acme/run/1",
        by: "wes",
      });
    await forge.setCheck({ commit, thread: "T1", status: "failure", summary: "x", url: null });
    const states = [(await forge.checks(commit)).state];

    await tell("lint", "pending");
    await tell("docs", "warning");
    states.push((await forge.checks(commit)).state);
    await tell("lint", "success");
    states.push((await forge.checks(commit)).state);
    await tell("lint", "failure");
    const report = await forge.checks(commit);

    expect(states).toEqual(["none", "pending", "success"]);
    expect(report).toEqual({
      state: "failure",
      failed: [{ name: "lint", url: `${rig.webUrl}/acme/run/1`, summary: "lint!", log: null }],
    });
  });

  it("counts checks behind the first page", async () => {
    const commit = await branchWith("checks-many");
    for (let i = 0; i < 51; i++) {
      const state = i === 50 ? "failure" : "success";
      await rig.tellStatus(REPOSITORY, commit, { context: `job ${i}`, state, by: "wes" });
    }

    expect(await forge.checks(commit)).toMatchObject({ state: "failure", failed: [{ name: "job 50" }] });
  });
});

describe("who the bot is", () => {
  it("signs commits with the bot's own address, and credits people with theirs", async () => {
    expect(await forge.botAuthor()).toEqual({ name: "uwf", email: "uwf@noreply.127.0.0.1" });
    expect(forge.userAuthor({ login: "Wes", id: 7 })).toEqual({
      name: "Wes",
      email: "wes@noreply.127.0.0.1",
    });
  });

  it("is asked once, and again only after a failure", async () => {
    const forges = forgesOf(rig);
    rig.fault({ method: "GET", path: /\/user$/, answer: { status: 500 } });
    const known = [forges.known()];

    await expect(forges.self()).rejects.toMatchObject({ code: "forge-unavailable" });
    await forges.self();
    rig.fault({ method: "GET", path: /\/user$/, answer: { status: 500 } });
    known.push(await forges.self(), forges.known());

    expect(known).toEqual([null, known[1], { login: "uwf", id: expect.any(Number) }]);
    await expect(forgesOf(rig).self()).rejects.toMatchObject({ code: "forge-unavailable" });
  });

  it("finds a repository by its name alone, as events name it, where the bot may write", async () => {
    const { locate } = forgesOf(rig);

    expect(await locate(REPOSITORY)).toEqual({
      ...{ forge: "forgejo", repository: REPOSITORY },
      ...{ installationId: expect.any(Number), repositoryId: expect.any(Number) },
    });
    await expect(locate("acme/nowhere")).rejects.toMatchObject({ code: "forge-missing" });
    await expect(locate("nowhere")).rejects.toMatchObject({ code: "forge-repository" });
    rig.fault({
      ...{ method: "GET", path: /uwf\/permission$/ },
      answer: { status: 200, body: { permission: "read" } },
    });
    await expect(locate(REPOSITORY)).rejects.toMatchObject({ code: "forge-denied", remedy: "fix-config" });
  });

  it("opens nothing that is no repository's name", async () => {
    for (const repository of ["nowhere", "a/b/c", "/b"])
      await expect(forgesOf(rig).open({ ...place, repository })).rejects.toMatchObject({
        code: "forge-repository",
      });
    const above = await forgesOf(rig).open({ ...place, repository: "../user" });
    await expect(above.defaultBranch()).rejects.toMatchObject({ code: "forge-path", remedy: "fix-input" });
  });
});

describe("a token with the least scopes", () => {
  it("cannot do what its scopes leave out, and the failure names the scope", async () => {
    const poor = await rigWith({ scopes: ["read:repository", "write:issue", "read:user"] });
    try {
      const { number } = await poor.openIssue(REPOSITORY, { title: "a", body: "", author: "wes" });
      const there = await forgesOf(poor).open(place);

      await there.createComment(number, "hello");
      const refused = there.setCheck({
        commit: "abc",
        thread: "T",
        status: "running",
        summary: "",
        url: null,
      });

      await expect(refused).rejects.toMatchObject({
        code: "forge-denied",
        message: expect.stringContaining("write:repository"),
      });
    } finally {
      await poor.close();
    }
  });
});

describe("failures", () => {
  const read = /\/repos\/acme\/durations$/;

  it.each([
    [{ status: 401 }, { code: "forge-denied", remedy: "fix-config" }],
    [{ status: 403 }, { code: "forge-denied", remedy: "fix-config" }],
    [{ status: 404 }, { code: "forge-missing", remedy: "fix-input" }],
    [{ status: 410 }, { code: "forge-missing", remedy: "fix-input" }],
    [{ status: 400 }, { code: "forge-refused", remedy: "fix-input" }],
    [{ status: 500 }, { code: "forge-unavailable", remedy: "retry" }],
    [{ status: 429 }, { code: "forge-unavailable", retryAfterMs: 60_000 }],
    [
      { status: 429, headers: { "retry-after": "7" } },
      { code: "forge-unavailable", retryAfterMs: 7000 },
    ],
    [
      { status: 503, headers: { "retry-after": "7" } },
      { code: "forge-unavailable", retryAfterMs: 7000 },
    ],
    [
      { status: 200, body: { other: 1 } },
      { code: "forge-unclear", remedy: "retry" },
    ],
    ["cut" as const, { code: "forge-unavailable", remedy: "retry" }],
  ])("%j becomes %j", async (answer, expected) => {
    rig.fault({ method: "GET", path: read, answer });

    await expect(forge.defaultBranch()).rejects.toMatchObject({
      ...expected,
      message: expect.stringContaining(REPOSITORY),
    });
  });

  it("gives up an answer that does not come in time", async () => {
    const hasty = await forgesOf(rig, { timeoutMs: 50 }).open(place);
    rig.fault({ method: "GET", path: read, answer: { delayMs: 1_000 } });

    await expect(hasty.defaultBranch()).rejects.toMatchObject({ code: "forge-unavailable", remedy: "retry" });
  });

  it("writes nothing twice when an answer is lost", async () => {
    const { number } = await newIssue();
    rig.fault({ method: "POST", path: /\/comments$/, answer: "lost" });

    await expect(forge.createComment(number, "once")).rejects.toMatchObject({ code: "forge-unavailable" });
    expect(await rig.comments(REPOSITORY, number)).toHaveLength(1);
  });

  it("follows a repository to its new name, and nobody to another server", async () => {
    const { number } = await newIssue();
    const moved = (location: string) => ({
      method: "POST",
      path: /\/old-name\/issues\/\d+\/comments$/,
      answer: { status: 307, headers: { location } },
    });
    const old = await forgesOf(rig).open({ ...place, repository: "acme/old-name" });
    const path = `/api/v1/repos/${REPOSITORY}/issues/${number}/comments`;

    rig.fault(moved(path));
    await old.createComment(number, "found");
    rig.fault(moved(`http://localhost:${new URL(rig.webUrl).port}${path}`));
    const elsewhere = old.createComment(number, "lost");

    await expect(elsewhere).rejects.toMatchObject({
      code: "forge-moved",
      remedy: "fix-config",
      hint: expect.stringContaining("FORGEJO_URL"),
    });
    expect((await rig.comments(REPOSITORY, number)).map(({ body }) => body)).toEqual(["found"]);
  });

  it("says that the token is not known", async () => {
    const stranger = await forgesOf(rig, { token: "other" }).open(place);

    await expect(stranger.defaultBranch()).rejects.toMatchObject({
      code: "forge-denied",
      hint: expect.stringContaining("FORGEJO_TOKEN"),
    });
  });
});
