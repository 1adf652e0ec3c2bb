import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Forge } from "../../../src/forge/forge.ts";
import { durations } from "../../fixtures/durations.ts";
import { botPullRequest, githubForgeOn } from "../../fixtures/github-forge.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
let rig: GithubRig;
let forge: Forge;
let plain: Forge;

beforeAll(async () => {
  rig = await githubRig({
    repositories: [
      { fullName: REPOSITORY, from: durations.directory },
      { fullName: "acme/plain", from: durations.directory, drafts: false },
    ],
    users: [{ login: "mona", permission: "write" }],
  });
  forge = await githubForgeOn(rig, REPOSITORY);
  plain = await githubForgeOn(rig, "acme/plain");
});
afterAll(() => rig.close());

const peoplesPull = async (branch: string, more: { fork?: string | null } = {}) => {
  await rig.createBranch(REPOSITORY, { name: branch, by: "mona" });
  await rig.writeFile(REPOSITORY, { path: `${branch}.md`, content: "one\n", branch, by: "mona" });
  const pull = { branch, title: "By hand", body: "Mine.", author: "mona", ...more };
  return rig.openPullRequest(REPOSITORY, pull);
};

describe("a pull request", () => {
  it("of the bot's is read as it is now", async () => {
    const { number, branch, commit } = await botPullRequest(rig, forge, { draft: true });

    expect(await forge.pullRequest(number)).toEqual({
      ...{ number, branch, draft: true, state: "open", merged: false, base: "main" },
      ...{ title: "Notes", body: "Some.", author: rig.botLogin, isOwn: true },
      url: expect.stringContaining(`/pull/${number}`),
      head: { commit, repository: REPOSITORY },
    });

    await rig.writeFile(REPOSITORY, { path: "more.md", content: "more\n", branch, by: "mona" });
    expect((await forge.pullRequest(number)).head.commit).not.toBe(commit);
  });

  it("of somebody else's is not its own", async () => {
    const { number, head } = await peoplesPull("by-hand");

    expect(await forge.pullRequest(number)).toMatchObject({
      author: "mona",
      isOwn: false,
      head: { commit: head.commit, repository: REPOSITORY },
    });
  });

  it("from a fork names it, and none that is gone", async () => {
    const there = await peoplesPull("from-fork", { fork: "mona/durations" });
    const gone = await peoplesPull("from-nowhere", { fork: null });

    expect((await forge.pullRequest(there.number)).head.repository).toBe("mona/durations");
    expect((await forge.pullRequest(gone.number)).head.repository).toBeNull();
  });

  it("that was closed or merged says so", async () => {
    const closed = await peoplesPull("to-close");
    const merged = await peoplesPull("to-merge");
    await rig.closePullRequest(REPOSITORY, closed.number, "mona");
    await rig.mergePullRequest(REPOSITORY, merged.number, "mona");

    expect(await forge.pullRequest(closed.number)).toMatchObject({ state: "closed", merged: false });
    expect(await forge.pullRequest(merged.number)).toMatchObject({ state: "closed", merged: true });
  });

  it("is missing where the number is an issue's", async () => {
    const { number } = await rig.openIssue(REPOSITORY, { title: "Wrong", body: "", author: "mona" });

    await expect(forge.pullRequest(number)).rejects.toMatchObject({
      code: "forge-missing",
      remedy: "fix-input",
    });
  });

  it("is changed in part", async () => {
    const { number } = await botPullRequest(rig, forge);

    await forge.updatePullRequest(number, { title: "Better" });
    expect(await forge.pullRequest(number)).toMatchObject({ title: "Better", body: "Some." });

    await forge.updatePullRequest(number, { body: "So." });
    expect(await forge.pullRequest(number)).toMatchObject({ title: "Better", body: "So." });
  });
});

describe("setDraft", () => {
  it("makes a draft ready and back, and leaves alone what is so already", async () => {
    const { number } = await botPullRequest(rig, forge, { draft: true });
    const asked = () => rig.delivered.filter(({ action }) => /ready_for_review|to_draft/.test(action ?? ""));

    await forge.setDraft(number, true);
    expect(asked()).toEqual([]);
    await forge.setDraft(number, false);
    await forge.setDraft(number, false);
    expect(await forge.pullRequest(number)).toMatchObject({ draft: false });
    await forge.setDraft(number, true);
    expect(await forge.pullRequest(number)).toMatchObject({ draft: true });

    expect(asked().map(({ action }) => action)).toEqual(["ready_for_review", "converted_to_draft"]);
  });

  it("leaves it ready where the plan knows no drafts", async () => {
    const { number } = await botPullRequest(rig, plain, { draft: true });
    expect(await plain.pullRequest(number)).toMatchObject({ draft: false });

    await plain.setDraft(number, true);

    expect(await plain.pullRequest(number)).toMatchObject({ draft: false });
  });

  it("takes it for done when somebody else was faster", async () => {
    const { number } = await botPullRequest(rig, forge, { draft: true });
    rig.fault({ method: "POST", path: /graphql$/, answer: "lost" });
    await expect(forge.setDraft(number, false)).rejects.toMatchObject({ code: "forge-unavailable" });

    await forge.setDraft(number, false);

    expect(await forge.pullRequest(number)).toMatchObject({ draft: false });
  });

  it.each([
    [{ errors: [{ type: "FORBIDDEN", message: "Resource not accessible" }] }, { code: "forge-denied" }],
    [{ errors: [{ type: "NOT_FOUND", message: "Could not resolve" }] }, { code: "forge-missing" }],
    [{ errors: [{ type: "UNPROCESSABLE", message: "no" }] }, { code: "forge-refused" }],
    [
      { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] },
      { code: "forge-unavailable", retryAfterMs: 60_000 },
    ],
    [{ errors: [{ message: "Something went wrong" }] }, { code: "forge-unavailable", remedy: "retry" }],
    [{ errors: [{ type: "SERVICE_UNAVAILABLE", message: "later" }] }, { code: "forge-unavailable" }],
    [
      { errors: [{ message: "Field 'x' doesn't exist", extensions: { code: "undefinedField" } }] },
      { code: "forge-refused" },
    ],
  ])("tells what GraphQL says with %j", async (body, expected) => {
    const { number } = await botPullRequest(rig, forge, { draft: true });
    rig.fault({ method: "POST", path: /graphql$/, answer: { status: 200, body } });

    await expect(forge.setDraft(number, false)).rejects.toMatchObject({
      ...expected,
      message: expect.stringContaining(`${REPOSITORY}#${number}`),
    });
  });
});
