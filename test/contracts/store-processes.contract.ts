import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../src/base/ids.ts";
import type { Damage, Store } from "../../src/store/store.ts";
import { oldChain, threadFixture, threadRecord } from "../fixtures/nodes.ts";
import { type StoreWorker, type StoreWorkers, storeWorkers, succeeded } from "../fixtures/store-workers.ts";
import { all } from "./store/rig.ts";

export type StorePlace = {
  /** The file's path or the database's URL: nothing is there yet. */
  place: string;
  open(options?: { now: () => number }): Promise<Store>;
  dispose(): Promise<void>;
};

/** What every adapter of the `Store` port must do for several processes. */
export const storeProcessesContract = (name: string, makePlace: () => Promise<StorePlace>): void => {
  describe(`several processes at one ${name}`, () => {
    let at: StorePlace;
    let workers: StoreWorkers;
    const stores: Store[] = [];
    beforeEach(async () => {
      at = await makePlace();
      workers = storeWorkers();
    });
    afterEach(async () => {
      await workers.dispose();
      for (const store of stores.splice(0)) await store.close();
      await at.dispose();
    });

    const opened = async (): Promise<Store> => {
      const store = await at.open();
      stores.push(store);
      return store;
    };
    const newThread = async (store: Store): Promise<ThreadId> => {
      const fixture = threadFixture();
      const record = threadRecord(fixture);
      await store.createThread(record, fixture.nodes);
      return record.id;
    };
    const damages = (store: Store) => all<Damage>(store.verify());

    it("lets four write at once: no lock error, nothing lost", async () => {
      const store = await opened();
      const count = 150;

      const ends = await Promise.all(
        ["a", "b", "c", "d"].map((name) => workers.work("write", at.place, name, String(count)).ended),
      );

      const done = workers.lines().filter((line) => line.thread !== undefined);
      const threads = await store.threads({ limit: 10_000 });
      expect(ends).toEqual(ends.map(() => succeeded));
      expect(done).toHaveLength(4 * count);
      expect(new Map(threads.map(({ id, head }) => [id, head]))).toEqual(
        new Map(done.map(({ thread, head }) => [thread, head])),
      );
      for (const { head } of threads) expect((await store.history(head)).steps).toHaveLength(1);
      expect(await damages(store)).toEqual([]);
    });

    it("lets eight create the store at once", async () => {
      const names = ["a", "b", "c", "d", "e", "f", "g", "h"];

      const ends = await Promise.all(names.map((name) => workers.work("write", at.place, name, "1").ended));

      const store = await opened();
      expect(ends).toEqual(ends.map(() => succeeded));
      expect(await store.threads({ limit: 100 })).toHaveLength(names.length);
    });

    it("lets exactly one of two win each step of a thread", async () => {
      const store = await opened();
      const count = 100;
      const id = await newThread(store);

      const ends = await Promise.all(
        ["a", "b"].map((name) => workers.work("advance", at.place, name, id, String(count)).ended),
      );

      const won = workers.lines().flatMap((line) => line.won ?? []);
      const record = await store.thread(id);
      const history = await store.history(record?.head as Hash);
      expect(ends).toEqual(ends.map(() => succeeded));
      expect(won.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
      expect(history.steps.map(({ output }) => output)).toEqual(
        Array.from({ length: count }, (_, index) => expect.objectContaining({ index })),
      );
      expect(await damages(store)).toEqual([]);
    });

    it("collects while four write, two of them on what is about to be collected", async () => {
      const store = await opened();
      const past = await at.open({ now: () => Date.now() - 24 * 60 * 60_000 });
      stores.push(past);
      const count = 100;
      const fixture = threadFixture();
      await past.put(fixture.nodes);
      for (let n = 0; n < count; n++)
        for (const name of ["c", "d", "nobody's"]) await past.put(oldChain(fixture, `${name} ${n}`));
      const graceMs = 60 * 60_000;
      let areDone = false;
      const collected: number[] = [];
      const collect = async () => {
        while (!areDone) collected.push((await store.collect({ graceMs })).collected);
      };

      const writing = [
        workers.work("write", at.place, "a", String(count)),
        workers.work("write", at.place, "b", String(count)),
        workers.work("take-up", at.place, "c", String(count)),
        workers.work("take-up", at.place, "d", String(count)),
      ];
      await said(writing);
      const collecting = collect();
      const ends = await Promise.all(writing.map(({ ended }) => ended));
      areDone = true;
      await collecting;

      expect(ends).toEqual(ends.map(() => succeeded));
      const told = new Map(workers.lines().flatMap(({ thread, head }) => (thread ? [[thread, head]] : [])));
      const threads = await store.threads({ limit: 10_000 });
      expect(new Map(threads.map(({ id, head }) => [id, head]))).toEqual(told);
      for (const { head } of threads) expect([1, 4]).toContain((await store.history(head)).steps.length);
      expect(collected.reduce((sum, some) => sum + some, 0)).toBeGreaterThanOrEqual(6 * count);
      expect(await damages(store)).toEqual([]);
    });

    it("lets four set money aside up to the limit, and never more", async () => {
      const store = await opened();

      const ends = await Promise.all(
        [1, 2, 3, 4].map(() => workers.work("reserve", at.place, "60", "150").ended),
      );

      const got = workers.lines().flatMap((line) => line.reserved ?? []);
      const kept = await all(store.allReservations());
      expect(ends).toEqual(ends.map(() => succeeded));
      expect(got).toHaveLength(150);
      expect(kept.map(({ thread }) => thread)).toEqual(got.toSorted());
      expect(await store.reserved("total", "2026-11")).toBe(150);
    });

    it("keeps every stored turn when the writer is killed in the middle", async () => {
      const store = await opened();
      const id = await newThread(store);
      let before = 0;

      for (const turnsUntilKill of [1, 7, 20, 33, 50]) {
        const worker = workers.work("append", at.place, id);
        while (worker.lines.length < turnsUntilKill && worker.process.exitCode === null) await setTimeout(1);
        worker.process.kill("SIGKILL");
        const end = await worker.ended;

        expect(end).toEqual({ code: null, stderr: "" });
        const turns = await settled(() => turnsOf(store, id));
        // The last write may have been done without having been told.
        expect([0, 1]).toContain(turns - before - worker.lines.length);
        expect(await damages(store)).toEqual([]);
        before = turns;
      }
    });
  });
};

/** Waits until each has said something. */
const said = async (some: readonly StoreWorker[]): Promise<void> => {
  while (some.some(({ lines, process }) => lines.length === 0 && process.exitCode === null))
    await setTimeout(1);
};

const turnsOf = async (store: Store, id: ThreadId): Promise<number> => {
  const record = await store.thread(id);
  return record?.tip == null ? 0 : (await store.turns(record.tip)).length;
};

/** A database may still do what a writer asked for that was killed: the value that comes twice in a row. */
const settled = async (read: () => Promise<number>): Promise<number> => {
  for (let last = await read(); ; ) {
    await setTimeout(200);
    const next = await read();
    if (next === last) return next;
    last = next;
  }
};
