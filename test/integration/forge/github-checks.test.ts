import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Forge } from "../../../src/forge/forge.ts";
import { durations } from "../../fixtures/durations.ts";
import { botPullRequest, githubForgeOn } from "../../fixtures/github-forge.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
const LOGS = { method: "GET", path: /\/actions\/jobs\/\d+\/logs$/ };
let rig: GithubRig;
let forge: Forge;
let commit: string;

beforeAll(async () => {
  rig = await githubRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [{ login: "mona", permission: "write" }],
  });
  forge = await githubForgeOn(rig, REPOSITORY);
});
afterAll(() => rig.close());
beforeEach(async () => {
  ({ commit } = await botPullRequest(rig, forge));
});

type Told = Parameters<GithubRig["tellChecks"]>[2];
const tell = (checks: Told["checks"], app?: string) =>
  rig.tellChecks(REPOSITORY, commit, { checks, ...(app === undefined ? {} : { app }) });
const state = async () => (await forge.checks(commit)).state;

describe("the checks of a commit", () => {
  it("are none while nobody but the bot has said anything", async () => {
    await forge.setCheck({ commit, thread: "T1", status: "running", summary: "", url: null });

    expect(await forge.checks(commit)).toEqual({ state: "none", failed: [] });
  });

  it("are pending while one is under way, though another has failed", async () => {
    await tell([{ name: "lint", conclusion: "failure" }, { name: "test" }]);

    expect(await forge.checks(commit)).toEqual({ state: "pending", failed: [] });
  });

  it("have passed when each has passed or does not matter, whatever the bot's own says", async () => {
    await tell([
      { name: "lint", conclusion: "success" },
      { name: "links", conclusion: "neutral" },
      { name: "deploy", conclusion: "skipped" },
    ]);
    await rig.tellStatus(REPOSITORY, commit, { context: "ci/old", state: "success", by: "mona" });
    await forge.setCheck({ commit, thread: "T1", status: "failure", summary: "", url: null });

    expect(await state()).toBe("success");
  });

  it.each(["cancelled", "action_required", "stale"] as const)(
    "are not finished while one is %s",
    async (conclusion) => {
      await tell([
        { name: "lint", conclusion: "success" },
        { name: "test", conclusion },
      ]);

      expect(await state()).toBe("pending");
    },
  );

  it("have failed though others were cancelled for it", async () => {
    await tell([
      { name: "test (20)", conclusion: "timed_out" },
      { name: "test (24)", conclusion: "cancelled" },
    ]);

    expect((await forge.checks(commit)).failed.map(({ name }) => name)).toEqual(["test (20)"]);
  });

  it("count by their newest run", async () => {
    await tell([{ name: "test", conclusion: "failure" }]);
    await tell([{ name: "test", conclusion: "success" }]);

    expect(await state()).toBe("success");
  });

  it("are all read, however many they are", async () => {
    await tell(Array.from({ length: 130 }, (_, i) => ({ name: `c${i}`, conclusion: "success" as const })));
    for (let i = 0; i < 101; i++)
      await rig.tellStatus(REPOSITORY, commit, {
        context: `s${i}`,
        state: i === 100 ? "error" : "success",
        by: "mona",
      });

    expect((await forge.checks(commit)).failed.map(({ name }) => name)).toEqual(["s100"]);
  });
});

describe("what failed", () => {
  it("is told with the check's words, its annotations and the log of its job", async () => {
    await tell([
      {
        ...{ name: "test", conclusion: "failure", title: "1 of 9 failed", summary: "See below." },
        annotations: [{ path: "src/a.ts", line: 7, message: "expected 500, got 30000000" }],
        log: "run\nnot ok 1\n",
      },
    ]);

    expect(await forge.checks(commit)).toEqual({
      state: "failure",
      failed: [
        {
          name: "test",
          url: expect.stringContaining("/runs/"),
          summary: "1 of 9 failed\n\nsrc/a.ts:7: expected 500, got 30000000\n\nSee below.",
          log: "run\nnot ok 1\n",
        },
      ],
    });
    expect(rig.credentialsAtLogs).toEqual([]);
  });

  it("has no log where another App has checked", async () => {
    await tell([{ name: "scan", conclusion: "failure", log: "secret" }], "scanner");

    expect((await forge.checks(commit)).failed).toMatchObject([{ name: "scan", summary: "", log: null }]);
  });

  it("may be a status", async () => {
    const status = { context: "ci/old", state: "failure", description: "3 failed", by: "mona" } as const;
    await rig.tellStatus(REPOSITORY, commit, { ...status, url: "https://ci.example.org/7" });

    expect((await forge.checks(commit)).failed).toEqual([
      { name: "ci/old", url: "https://ci.example.org/7", summary: "3 failed", log: null },
    ]);
  });

  it("has the end of a long log, and no half a character", async () => {
    await tell([{ name: "test", conclusion: "failure", log: `${"ü🦊x".repeat(200_000)}the end` }]);

    const { log } = (await forge.checks(commit)).failed[0] ?? {};

    expect(log?.length).toBe(200_000);
    expect(log?.endsWith("🦊xthe end")).toBe(true);
    expect(log?.isWellFormed()).toBe(true);
  });

  it("has no log where GitHub has kept none", async () => {
    await tell([{ name: "test", conclusion: "failure" }]);

    expect((await forge.checks(commit)).failed).toMatchObject([{ log: null }]);
  });

  it.each([403, 404, 410])("has no log where GitHub answers %i", async (status) => {
    await tell([{ name: "test", conclusion: "failure", log: "not ok" }]);
    rig.fault({ ...LOGS, answer: { status } });

    expect((await forge.checks(commit)).failed).toMatchObject([{ log: null }]);
  });

  it.each([
    [
      { status: 403, headers: { "retry-after": "7" } },
      { code: "forge-unavailable", retryAfterMs: 7_000 },
    ],
    [{ status: 401 }, { code: "forge-denied" }],
    [{ status: 500 }, { code: "forge-unavailable" }],
    ["cut" as const, { code: "forge-unavailable" }],
  ])("is not told without its log for %j", async (answer, expected) => {
    await tell([{ name: "test", conclusion: "failure", log: "not ok" }]);
    // A token of the last seconds may not be known everywhere yet: the client asks again for a while after a 401.
    let isBroken = true;
    rig.fault({ ...LOGS, answer, times: 100, when: () => isBroken });

    try {
      await expect(forge.checks(commit)).rejects.toMatchObject(expected);
    } finally {
      isBroken = false;
    }
  });

  it("has logs of the first ten alone", async () => {
    const name = (i: number) => `test ${i}`;
    await tell(
      Array.from({ length: 12 }, (_, i) => ({ name: name(i), conclusion: "failure" as const, log: "no" })),
    );

    const { failed } = await forge.checks(commit);

    expect(failed.map(({ log }) => log === null)).toEqual([...Array(10).fill(false), true, true]);
  });
});
