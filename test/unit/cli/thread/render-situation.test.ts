import { afterEach, beforeEach, expect, it } from "vitest";
import { processHolder } from "../../../../src/base/process-holder.ts";
import { plainStyle } from "../../../../src/cli/style.ts";
import { findThread } from "../../../../src/cli/thread/find-thread.ts";
import { renderSituation } from "../../../../src/cli/thread/render-situation.ts";
import { readSituation } from "../../../../src/cli/thread/situation.ts";
import { threadLease } from "../../../../src/store/store.ts";
import { runningHolder, type SeededThreads, seedThreads } from "../../../fixtures/seeded-threads.ts";
import { type TemporaryStore, temporaryStore } from "../../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let seeded: SeededThreads;
beforeEach(async () => {
  temporary = temporaryStore();
  seeded = await seedThreads(temporary.store);
});
afterEach(() => temporary.dispose());

const shown = async (id = seeded.running): Promise<string> => {
  const { store } = temporary;
  const situation = await readSituation(store, await findThread(store, id));
  return renderSituation(situation, { style: plainStyle, now: 0 });
};

it("names the process that runs a thread, and how to stop it", async () => {
  const text = await shown();

  expect(text).toContain("state       running\n");
  expect(text).toContain("step 1 under way, 2 turns, by process 1 on elsewhere\n");
  expect(text).toContain("uwf thread pause");
});

it.each([
  ["has let go without a word", null],
  ["has ended on this machine", processHolder().replace(/:\d+:/, ":999999999:")],
])("says that a thread can be taken up when its process %s", async (_, holder) => {
  const key = threadLease(seeded.running);
  await temporary.store.release(key, runningHolder);
  if (holder !== null) await temporary.store.lease(key, holder, 60_000);

  const text = await shown();

  expect(text).toContain("state       running, but its process has ended\n");
  expect(text).toContain("step 1 cut off, 2 turns\n");
  expect(text).toContain("take it up where it was left  uwf thread run ");
  expect(text).not.toContain("uwf thread pause");
});

it("marks the role that waits for a person, and those that have answered", async () => {
  expect(await shown(seeded.suspended)).toMatch(/\nroles +\? developer\b/);
  expect(await shown(seeded.completed)).toMatch(/\nroles +✓ developer\b/);
});
