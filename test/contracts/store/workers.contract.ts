import { expect, it } from "vitest";
import { threadStatuses } from "../../../src/store/store.ts";
import { fixtureTime } from "../../fixtures/nodes.ts";
import { claim, open, waiting } from "./lines.ts";
import type { Rig } from "./rig.ts";

const noThreads = Object.fromEntries(threadStatuses.map((status) => [status, 0]));

export const workersContract = (rig: () => Rig): void => {
  const admitted = async () => (await rig().store.admit(open)).length;

  it("admits nothing without a living worker", async () => {
    await waiting(rig().store, { line: "a/x" });

    expect(await admitted()).toBe(0);
    await rig().store.beat("idle", { places: 0, ttlMs: 1_000 });
    expect(await admitted()).toBe(0);
  });

  it("admits as many as the living workers have places for", async () => {
    const { store, clock } = rig();
    for (let at = 0; at < 9; at++) await waiting(store, { line: "a/x", at });

    await store.beat("one", { places: 1, ttlMs: 100 });
    expect(await admitted()).toBe(1);
    await store.beat("two", { places: 2, ttlMs: 200 });
    expect(await admitted()).toBe(3);
    await store.beat("one", { places: 2, ttlMs: 100 });
    expect(await admitted()).toBe(4);
    clock.now += 100;
    await store.beat("three", { places: 3, ttlMs: 100 });
    expect(await admitted()).toBe(5);
    await store.retire("two");
    await store.retire("unknown");
    await store.beat("four", { places: 3, ttlMs: 100 });
    expect(await admitted()).toBe(6);
  });

  it("counts a worker for as long as it said, and again when it beats again", async () => {
    const { store, clock } = rig();
    const workers = async () => {
      const { workers, places } = await store.counts();
      return { workers, places };
    };

    await store.beat("one", { places: 2, ttlMs: 100 });
    await store.beat("two", { places: 3, ttlMs: 200 });
    expect(await workers()).toEqual({ workers: 2, places: 5 });
    clock.now += 100;
    expect(await workers()).toEqual({ workers: 1, places: 3 });
    await store.beat("one", { places: 4, ttlMs: 100 });
    expect(await workers()).toEqual({ workers: 2, places: 7 });
    await store.retire("two");
    expect(await workers()).toEqual({ workers: 1, places: 4 });
    clock.now += 100;
    expect(await workers()).toEqual({ workers: 0, places: 0 });
  });

  it("counts nothing in an empty store", async () => {
    expect(await rig().store.counts()).toEqual({
      threads: noThreads,
      waitingSince: null,
      pendingDeliveries: 0,
      deliveriesSince: null,
      workers: 0,
      places: 0,
    });
  });

  it("counts threads by status, in lines or in none", async () => {
    const { store } = rig();
    for (const [n, status] of threadStatuses.entries())
      for (let at = 0; at <= n; at++) {
        const line = at % 2 === 0 ? {} : { installation: null, repository: null };
        await waiting(store, { line: "a/x", at }, { status, ...line });
      }

    expect((await store.counts()).threads).toEqual(
      Object.fromEntries(threadStatuses.map((status, n) => [status, n + 1])),
    );
  });

  it("says since when the thread waits that has waited longest", async () => {
    const { store, clock } = rig();
    const since = async () => (await store.counts()).waitingSince;
    await waiting(store, { line: "a/x" }, { installation: null, repository: null });
    await waiting(store, { line: "a/x" }, { status: "paused" });
    const late = await waiting(store, { line: "a/x" }, { dueAt: fixtureTime + 500 });
    expect(await since()).toBeNull();

    clock.now += 600;
    expect(await since()).toBe(fixtureTime + 500);
    const first = await waiting(store, { line: "b/x", at: 300 });
    expect(await since()).toBe(fixtureTime + 300);
    await store.beat("worker", { places: 1, ttlMs: 100 });
    expect(await store.admit({ ...open, total: 1 })).toHaveLength(1);
    const [admitted] = await store.admit(open);
    expect(await since()).toBe(fixtureTime + (admitted === first ? 500 : 300));
    await claim(store, late);
    await claim(store, first);
    expect(await since()).toBeNull();
    await store.advance(late, {}, { status: "queued" });
    expect(await since()).toBe(clock.now);
  });

  it("counts deliveries that are not handled, and says since when", async () => {
    const { store } = rig();
    const delivery = { forge: "github", event: "issues", body: "{}" };
    await store.addDeliveries([
      { ...delivery, id: "a", receivedAt: 5 },
      { ...delivery, id: "b", receivedAt: 3 },
      { ...delivery, id: "c", receivedAt: 4 },
    ]);
    await store.finishDelivery("b");

    expect(await store.counts()).toMatchObject({ pendingDeliveries: 2, deliveriesSince: 4 });
  });

  it("answers a check while it is open, and throws afterwards", async () => {
    const another = await rig().another();

    await another.check();
    await another.close();

    await expect(another.check()).rejects.toThrow();
  });
};
