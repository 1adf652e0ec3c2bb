import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { processHolder } from "../../../src/base/process-holder.ts";
import { collectGarbage, GRACE_HOURS, HOUR_MS } from "../../../src/store/collect-garbage.ts";
import { fixtureTime, messageFixture } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const holder = processHolder();
let temporary: TemporaryStore;
let now: number;
beforeEach(async () => {
  now = fixtureTime;
  temporary = temporaryStore({ now: () => now });
  await temporary.store.put([messageFixture(null, "garbage")]);
});
afterEach(() => temporary.dispose());

it("keeps nodes for two days unless told otherwise", async () => {
  const collected = async () => (await collectGarbage(temporary.store, { holder })).collected;

  now += GRACE_HOURS * HOUR_MS;
  expect(await collected()).toBe(0);
  now += 3 * 60_000;
  expect(await collected()).toBe(1);
});

it("leaves it to the process that collects already, and takes over from one that has died", async () => {
  now += 3 * HOUR_MS;
  const graceMs = HOUR_MS;
  await temporary.store.lease("collection", "elsewhere:1:1:x", 60_000);

  await expect(collectGarbage(temporary.store, { holder, graceMs })).rejects.toMatchObject({
    code: "collecting",
    remedy: "retry",
    message: "Nodes are being collected by process 1 on elsewhere already.",
  });
  expect((await temporary.store.collect({ graceMs, dryRun: true })).collected).toBe(1);
  await temporary.store.release("collection", "elsewhere:1:1:x");
  const [machine] = holder.split(":");
  await temporary.store.lease("collection", `${machine}:999999999:1:x`, 60_000);
  expect((await collectGarbage(temporary.store, { holder, graceMs })).collected).toBe(1);
});

it("gives the lease back, also when it was stopped", async () => {
  const signal = AbortSignal.abort(new Error("enough"));

  await expect(collectGarbage(temporary.store, { holder, signal })).rejects.toThrow("enough");

  expect(await temporary.store.leaseHolder("collection")).toBeUndefined();
});

it("stops when the lease is lost", async () => {
  vi.useFakeTimers();
  const { store } = temporary;
  const losing = collectGarbage(
    {
      ...store,
      collect: async ({ signal }) => {
        await store.release("collection", (await store.leaseHolder("collection")) ?? "");
        await new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        });
        throw new Error("never");
      },
    },
    { holder },
  );
  const refused = expect(losing).rejects.toMatchObject({ code: "lease-lost" });
  await vi.advanceTimersByTimeAsync(10_000);

  await refused;
  vi.useRealTimers();
});
