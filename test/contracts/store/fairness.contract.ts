import { expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import type { Store } from "../../../src/store/store.ts";
import { end, open, waiting, withPlaces } from "./lines.ts";
import type { Rig } from "./rig.ts";

export const fairnessContract = (rig: () => Rig): void => {
  /** Ends what is admitted and admits again, so many times: what was admitted each time. */
  const served = async (store: Store, rounds: number): Promise<ThreadId[][]> => {
    const rows: ThreadId[][] = [];
    for (let round = 0; round < rounds; round++) {
      rig().clock.now += 1;
      const ids = await store.admit(open);
      rows.push(ids);
      for (const id of ids) await end(store, id);
    }
    return rows;
  };

  it("delays an installation's first thread by one at most, however many of another wait", async () => {
    const store = await withPlaces(rig(), 1);
    for (let at = 0; at < 1_000; at++) await waiting(store, { line: `many/${at % 7}`, at });
    const [running] = await store.admit(open);
    const first = await waiting(store, { line: "few/x", at: 5_000 });
    expect(await store.admit(open)).toEqual([running]);

    await end(store, running as ThreadId);

    expect(await store.admit(open)).toEqual([first]);
  });

  it("serves the installation with fewer threads under way first, even if it was served last", async () => {
    const store = await withPlaces(rig(), 2);
    await waiting(store, { line: "a/x" });
    await store.admit(open);
    rig().clock.now += 1;
    const done = await waiting(store, { line: "b/x", at: 1 });
    await store.admit(open);
    await end(store, done);
    await waiting(store, { line: "a/y", at: 2 });
    const next = await waiting(store, { line: "b/y", at: 3 });

    expect(await store.admit(open)).toContain(next);
  });

  it("serves the installation that was served longest ago when all have as many under way", async () => {
    const store = await withPlaces(rig(), 1);
    const a = [await waiting(store, { line: "a/x" }), await waiting(store, { line: "a/x", at: 1 })];
    const b = [await waiting(store, { line: "b/x", at: 2 }), await waiting(store, { line: "b/x", at: 3 })];
    const c = [await waiting(store, { line: "c/x", at: 4 }), await waiting(store, { line: "c/x", at: 5 })];

    const order = await served(store, 6);

    expect(order.flat()).toEqual([a[0], b[0], c[0], a[1], b[1], c[1]]);
  });

  it("counts what it admits in the same call as served", async () => {
    const store = await withPlaces(rig(), 9);
    const early = await waiting(store, { line: "b/x" });
    await store.admit(open);
    await end(store, early);
    rig().clock.now += 1;
    const under = await waiting(store, { line: "a/x", at: 1 });
    await store.admit(open);
    rig().clock.now += 1;
    const b = [await waiting(store, { line: "b/x", at: 2 }), await waiting(store, { line: "b/x", at: 3 })];
    const a = await waiting(store, { line: "a/x", at: 4 });

    expect(await store.admit({ ...open, total: 3 })).toEqual([under, b[0], a]);
  });

  it("takes an installation's oldest first, and passes over a repository that is full", async () => {
    const store = await withPlaces(rig(), 9);
    const limits = { ...open, perRepository: 1 };
    const full = await waiting(store, { line: "a/x" });
    await store.admit(limits);
    const blocked = await waiting(store, { line: "a/x", at: 1 });
    const [older, younger] = [
      await waiting(store, { line: "a/y", at: 2 }),
      await waiting(store, { line: "a/z", at: 3 }),
    ];

    expect(await store.admit({ ...limits, perInstallation: 2 })).toEqual([full, older]);
    expect(await store.admit(limits)).toEqual([full, older, younger]);
    await end(store, full);
    expect(await store.admit(limits)).toEqual([blocked, older, younger]);
  });
};
