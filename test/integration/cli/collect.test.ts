import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import { messageFixture } from "../../fixtures/nodes.ts";
import { runningHolder, type SeededThreads, seedThreads } from "../../fixtures/seeded-threads.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

const DAY_MS = 24 * 60 * 60_000;
let home: UwfHome;
let seeded: SeededThreads;
const opened = (now?: () => number) =>
  sqliteStore({ path: join(home.root, "uwf.db"), ...(now === undefined ? {} : { now }) });

beforeAll(async () => {
  home = uwfHome();
  mkdirSync(home.root, { mode: 0o700 });
  const store = opened(() => Date.now() - 3 * DAY_MS);
  seeded = await seedThreads(store);
  await store.put([messageFixture(null, "dropped"), messageFixture(null, "dropped as well")]);
  await store.close();
});
afterAll(() => home.dispose());

const json = async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await home.uwf([...args, "--json"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
};

it("says what it would delete, then deletes that and nothing else", async () => {
  const dry = await json("gc", "--dry-run");
  const kept = await json("gc", "--grace", "96");
  const text = await home.uwf(["gc"]);

  expect(dry).toMatchObject({ dryRun: true, graceHours: 48, collected: 2 });
  expect(kept).toMatchObject({ dryRun: false, graceHours: 96, collected: 0, kept: dry.kept + 2, bytes: 0 });
  expect(text.stdout).toMatch(
    new RegExp(`^✓ Deleted 2 nodes \\(${dry.bytes} B\\); ${dry.kept} nodes stay\\. \\(\\d\\.\\ds\\)\\n$`),
  );
  expect((await home.uwf(["gc"])).stdout).toMatch(/stay\. What was put in the last 48 hours stays\. \(/);
  expect(await json("cas", "verify")).toEqual({ damaged: 0, problems: [] });
  expect(await json("thread", "list")).toHaveLength(3);
});

it("collects when a thread is removed", async () => {
  const removed = await json("thread", "rm", seeded.suspended);

  expect(removed).toEqual({ id: seeded.suspended, removed: true, collected: 2 });
  expect(await json("cas", "verify")).toEqual({ damaged: 0, problems: [] });
});

it("does not collect while another process does", async () => {
  const store = opened();
  await store.lease("collection", runningHolder, 60_000);
  await store.close();

  const { exitCode, stderr } = await home.uwf(["gc"]);
  const removed = await json("thread", "rm", seeded.completed);

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr:
      "error: Nodes are being collected by process 1 on elsewhere already.\nhint: Wait until that is done.\n",
  });
  expect(removed).toMatchObject({ removed: true, collected: null });
});

it("refuses a grace that is no number", async () => {
  const { exitCode, stderr } = await home.uwf(["gc", "--grace", "soon"]);

  expect(exitCode).toBe(2);
  expect(stderr).toContain('option --grace must be a number, not "soon"');
});
