import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sqliteStore } from "../../../../src/store/sqlite-store.ts";
import { threadFixture } from "../../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let other: DatabaseSync;
beforeEach(() => {
  temporary = temporaryStore();
  other = new DatabaseSync(temporary.path);
});
afterEach(async () => {
  other.close();
  await temporary.dispose();
});

it("waits for another writer and then writes, without holding up the event loop", async () => {
  const { nodes, start } = threadFixture();
  other.exec("BEGIN IMMEDIATE");
  let settled = false;

  const putting = temporary.store.put(nodes).finally(() => {
    settled = true;
  });
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  const settledWhileLocked = settled;
  other.exec("COMMIT");
  await putting;

  expect(settledWhileLocked).toBe(false);
  expect(await temporary.store.get(start.hash)).toEqual(start);
});

it("reads while another process writes", async () => {
  const { nodes, start } = threadFixture();
  await temporary.store.put(nodes);
  other.exec("BEGIN IMMEDIATE");

  expect(await temporary.store.get(start.hash)).toEqual(start);
});

it("gives up after the limit, and says what to do", async () => {
  const store = sqliteStore({ path: temporary.path, busyMs: 20 });
  other.exec("BEGIN IMMEDIATE");

  const putting = store.put(threadFixture().nodes);

  await expect(putting).rejects.toMatchObject({ code: "store-busy", remedy: "retry" });
  await expect(putting).rejects.toThrow(temporary.path);
  await store.close();
});

it("opens while another process writes", async () => {
  other.exec("BEGIN IMMEDIATE");

  const store = sqliteStore({ path: temporary.path, busyMs: 20 });

  expect(await store.workflows()).toEqual([]);
  await store.close();
});
