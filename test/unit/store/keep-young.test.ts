import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/store/collect-garbage.ts";
import { keepYoung } from "../../../src/store/keep-young.ts";
import { makeNode } from "../../../src/store/node.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";

const GRACE = 48 * HOUR_MS;
const text = (words: string) => makeNode("text", { encoding: "utf8", text: words });
const kept = text("a report");
const left = text("a draft");

let root: string;
let now: number;
let store: Store;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "uwf-young-"));
  now = Date.UTC(2026, 10, 1);
  store = sqliteStore({ path: join(root, "uwf.db"), now: () => now });
  await store.put([kept, left]);
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

it("keeps what nothing refers to yet, for as long as its step takes", async () => {
  const renewed = Promise.withResolvers<void>();
  const put: Store["put"] = async (nodes) => {
    await store.put(nodes);
    renewed.resolve();
  };
  now += 40 * HOUR_MS;
  const young = keepYoung(
    { ...store, put },
    { hashes: () => [kept.hash], failed: () => undefined, everyMs: 1 },
  );
  await renewed.promise;
  await young.close();

  now += 20 * HOUR_MS;
  await store.collect({ graceMs: GRACE });
  expect([await store.get(kept.hash), await store.get(left.hash)]).toEqual([kept, undefined]);

  now += 40 * HOUR_MS;
  await store.collect({ graceMs: GRACE });
  expect(await store.get(kept.hash)).toBeUndefined();
});

it("goes on after a round that failed, and says why it did", async () => {
  const told: unknown[] = [];
  const again = Promise.withResolvers<void>();
  const get: Store["get"] = async (hash) => {
    if (told.length === 0) throw new Error("the disk is full");
    again.resolve();
    return store.get(hash);
  };
  const young = keepYoung(
    { ...store, get },
    { hashes: () => [kept.hash], failed: (error) => void told.push(error), everyMs: 1 },
  );

  await again.promise;
  await young.close();

  expect(told).toMatchObject([{ message: "the disk is full" }]);
});
