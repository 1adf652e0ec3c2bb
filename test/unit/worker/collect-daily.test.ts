import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/store/collect-garbage.ts";
import type { Store } from "../../../src/store/store.ts";
import { collectDaily } from "../../../src/worker/collect-daily.ts";
import { type HeardLog, heardLog } from "../../fixtures/heard-log.ts";
import { fixtureTime, messageFixture } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let now: number;
let collections: number;
let store: Store;
beforeEach(() => {
  now = fixtureTime;
  log = heardLog();
  collections = 0;
  temporary = temporaryStore({ now: () => now });
  store = {
    ...temporary.store,
    collect: (options) => {
      collections++;
      return temporary.store.collect(options);
    },
  };
});
afterEach(() => temporary.dispose());

const signal = new AbortController().signal;
let log: HeardLog;

it("collects once a day, in one of all processes", async () => {
  await store.put([messageFixture(null, "garbage")]);
  now += 72 * HOUR_MS;

  await collectDaily({ store, holder: "a", log, signal });
  await collectDaily({ store, holder: "b", log, signal });
  now += 23 * HOUR_MS;
  await collectDaily({ store, holder: "a", log, signal });
  expect(collections).toBe(1);
  expect(await store.get(messageFixture(null, "garbage").hash)).toBeUndefined();
  now += HOUR_MS;
  await collectDaily({ store, holder: "b", log, signal });

  expect(collections).toBe(2);
});

it("tries again after an hour when it could not be done, and says why", async () => {
  const failing: Store = { ...store, collect: () => Promise.reject(new Error("the disk is full")) };

  await collectDaily({ store: failing, holder: "a", log, signal });
  await collectDaily({ store, holder: "a", log, signal });
  expect(collections).toBe(0);
  expect(log.lines).toEqual(['warn: cannot collect nodes now {"error":"the disk is full"}']);
  now += HOUR_MS;
  await collectDaily({ store, holder: "a", log, signal });

  expect(collections).toBe(1);
});
