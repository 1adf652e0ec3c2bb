import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../src/base/ids.ts";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import type { Damage, Store } from "../../../src/store/store.ts";
import { all } from "../../contracts/store/rig.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type StoreWorkers, storeWorkers, succeeded } from "../../fixtures/store-workers.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

describe.skipIf(!postgresIsHere())("writers at a PostgreSQL server that ends and comes back", () => {
  let server: PostgresServer;
  let url: string;
  let store: Store;
  let workers: StoreWorkers;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    await server.start();
    url = await server.database();
    store = await postgresStore({ url });
    workers = storeWorkers();
  });
  afterEach(async () => {
    await server.start();
    await workers.dispose();
    await store.close();
  });

  const newThread = async (): Promise<ThreadId> => {
    const fixture = threadFixture();
    const record = threadRecord(fixture);
    await store.createThread(record, fixture.nodes);
    return record.id;
  };
  const outage = async (end: (of: PostgresServer) => Promise<void>): Promise<void> => {
    await end(server);
    await setTimeout(3_000);
    await server.start();
  };

  const ends: [string, (of: PostgresServer) => Promise<void>][] = [
    ["stopped", (of) => of.stop("fast")],
    ["stopped at once", (of) => of.stop("immediate")],
    ["killed", (of) => of.kill()],
  ];

  it.each(ends)("lose and double nothing when it is %s", async (_, end) => {
    const names = ["a", "b", "c"];
    const writers = names.map((name) => workers.work("write", url, name, "400"));
    await expect.poll(() => workers.lines().length, { timeout: 30_000 }).toBeGreaterThan(60);

    await outage(end);

    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(names.map(() => succeeded));
    const done = workers.lines().filter((line) => line.thread !== undefined);
    const threads = await store.threads({ limit: 10_000 });
    expect(done).toHaveLength(names.length * 400);
    expect(new Map(threads.map(({ id, head }) => [id, head]))).toEqual(
      new Map(done.map(({ thread, head }) => [thread, head])),
    );
    for (const { head } of threads) expect((await store.history(head)).steps).toHaveLength(1);
    expect(await all<Damage>(store.verify())).toEqual([]);
  });

  it.each(ends)("win each step once when it is %s", async (_, end) => {
    const count = 300;
    const id = await newThread();
    const rivals = ["a", "b"].map((name) => workers.work("advance", url, name, id, String(count)));
    await expect.poll(() => workers.lines().length, { timeout: 30_000 }).toBeGreaterThan(40);

    await outage(end);

    expect(await Promise.all(rivals.map(({ ended }) => ended))).toEqual(rivals.map(() => succeeded));
    const won = workers.lines().flatMap((line) => line.won ?? []);
    const { steps } = await store.history((await store.thread(id))?.head as Hash);
    expect(new Set(won).size).toBe(won.length);
    // A win whose answer was lost and that the rival has built on since is told to nobody.
    expect(won.length).toBeGreaterThanOrEqual(count - 2);
    expect(steps.map(({ output }) => output)).toEqual(
      Array.from({ length: count }, (_, index) => expect.objectContaining({ index })),
    );
  });

  it.each(ends)("set money aside once, and never too much, when it is %s", async (_, end) => {
    const names = ["a", "b", "c"];
    const limit = 900;
    const writers = names.map(() => workers.work("reserve", url, "400", String(limit)));
    await expect.poll(() => workers.lines().length, { timeout: 30_000 }).toBeGreaterThan(60);

    await outage(end);

    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(names.map(() => succeeded));
    const got = workers.lines().flatMap((line) => line.reserved ?? []);
    const kept = (await all(store.allReservations())).map(({ thread }) => thread);
    expect(workers.lines()).toHaveLength(names.length * 400);
    expect(kept).toEqual(got.toSorted());
    expect(await store.reserved("total", "2026-11")).toBe(limit);
  });

  it("store each turn once, whoever is killed", async () => {
    const id = await newThread();
    const writer = workers.work("append", url, id);
    await expect.poll(() => writer.lines.length, { timeout: 30_000 }).toBeGreaterThan(20);

    await outage((of) => of.kill());
    const before = writer.lines.length;
    await expect.poll(() => writer.lines.length, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    writer.process.kill("SIGKILL");

    expect(await writer.ended).toEqual({ code: null, stderr: "" });
    const turns = await store.turns((await store.thread(id))?.tip as Hash);
    expect([0, 1]).toContain(turns.length - writer.lines.length);
    expect(await all<Damage>(store.verify())).toEqual([]);
  });
});
