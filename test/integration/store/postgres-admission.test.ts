import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import type { Store, ThreadRecord } from "../../../src/store/store.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const limits = { perRepository: 1, perInstallation: 2, total: 5 };
const THREADS = 120;

describe.skipIf(!postgresIsHere())("many that admit from one PostgreSQL store at once", () => {
  let server: PostgresServer;
  let stores: Store[];
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    const url = await server.database();
    stores = await Promise.all(Array.from({ length: 4 }, () => postgresStore({ url })));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  it("never have more under way than the limits allow, and run each thread once", async () => {
    const [store] = stores as [Store];
    const lines = new Map<ThreadId, ThreadRecord>();
    const fixture = threadFixture();
    for (let n = 0; n < THREADS; n++) {
      const installation = `github/${n % 4}`;
      const line = { installation, repository: `${installation}/owner/r${n % 8}` };
      const record = threadRecord(fixture, { ...line, createdAt: n });
      await store.createThread(record, fixture.nodes);
      lines.set(record.id, record);
    }
    await store.beat("worker", { places: 8, ttlMs: 600_000 });
    const ran: ThreadId[] = [];
    const most = { total: 0, installation: 0, repository: 0 };

    /** All admit at once; one of them runs what it was told, while the others admit again. */
    const work = async (own: Store): Promise<void> => {
      while (ran.length < THREADS) {
        const answers = await Promise.all([own.admit(limits), own.admit(limits), own.admit(limits)]);
        for (const ids of answers) {
          const underWay = ids.flatMap((id) => lines.get(id) ?? []);
          most.total = Math.max(most.total, ids.length);
          most.installation = Math.max(most.installation, largest(underWay, "installation"));
          most.repository = Math.max(most.repository, largest(underWay, "repository"));
        }
        for (const id of answers[0]) {
          if ((await own.advance(id, { status: "queued" }, { status: "running" })) === undefined) continue;
          ran.push(id);
          await own.advance(id, { status: "running" }, { status: "completed" });
        }
      }
    };
    await Promise.all(stores.map(work));

    expect(ran).toHaveLength(THREADS);
    expect(new Set(ran).size).toBe(THREADS);
    expect(most).toEqual({ total: 5, installation: 2, repository: 1 });
  });
});

/** How many threads the line has that has most of them. */
const largest = (threads: readonly ThreadRecord[], line: "installation" | "repository"): number =>
  Math.max(
    0,
    ...Object.values(Object.groupBy(threads, (thread) => `${thread[line]}`)).map((some) => some?.length ?? 0),
  );
