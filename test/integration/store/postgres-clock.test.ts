import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const DAY = 24 * 3_600_000;

describe.skipIf(!postgresIsHere())("on a machine whose clock jumps, a PostgreSQL store", () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    store = await postgresStore({ url: await server.database() });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
  });

  const jump = (ms: number): void => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  };

  it.each([DAY, -DAY])("keeps leases and workers as long as was asked for: %i ms", async (ms) => {
    await store.lease("key", "a", 3_600_000);
    await store.beat("worker", { places: 2, ttlMs: 3_600_000 });

    jump(ms);

    expect(await store.leaseHolder("key")).toBe("a");
    expect(await store.lease("key", "b", 3_600_000)).toBe(false);
    expect(await store.counts()).toMatchObject({ workers: 1, places: 2 });
    await store.release("key", "a");
    expect(await store.lease("key", "b", 3_600_000)).toBe(true);
    expect(await store.leaseHolder("key")).toBe("b");
  });

  it.each([DAY, -DAY])("admits what is due by the database's clock, and dates by it: %i ms", async (ms) => {
    const began = Date.now();
    const line = { installation: "github/1", repository: "github/1/owner/name" };
    const fixture = threadFixture();
    const due = threadRecord(fixture, { ...line, dueAt: began - 1_000 });
    const later = threadRecord(fixture, { ...line, dueAt: began + 3_600_000 });
    for (const record of [due, later]) await store.createThread(record, fixture.nodes);

    jump(ms);
    await store.beat("worker", { places: 9, ttlMs: 3_600_000 });
    const admitted = await store.admit({ perRepository: 9, perInstallation: 9, total: null });
    const moved = await store.advance(due.id, {}, { status: "running" });

    expect(admitted).toEqual([due.id]);
    expect(Math.abs((moved?.updatedAt ?? 0) - began)).toBeLessThan(DAY / 2);
  });
});
