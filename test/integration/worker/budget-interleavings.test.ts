import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { periodOf } from "../../../src/worker/budget-accounts.ts";
import { type SpendingThread, spendingThread } from "../../fixtures/spending-thread.ts";
import { temporaryStore } from "../../fixtures/temporary-store.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const MINUTE = 60_000;
const THREADS = 4;
const BUDGET_USD = 3;
const LIMIT_USD = 7;
const MORE_USD = 0.5;
const monthly = { actorUsd: null, repositoryUsd: null, organisationUsd: null, totalUsd: LIMIT_USD };

type Op =
  | { kind: "begin" | "crash" | "settle" | "finishStep" | "cancel" | "resume"; thread: number }
  | { kind: "call"; thread: number; usd: number; more: number }
  | { kind: "clock"; minutes: number };

const thread = fc.nat({ max: THREADS - 1 });
const cents = (max: number) => fc.nat({ max }).map((count) => count / 100);
/** Clocks of machines differ, and are set right: some minutes, within the month. */
const withinMonth = fc.record({
  kind: fc.constant("clock" as const),
  minutes: fc.integer({ min: -90, max: 90 }),
});
const anyTime = fc.record({
  kind: fc.constant("clock" as const),
  minutes: fc.integer({ min: -5_000, max: 20_000 }),
});
const op = (clock: fc.Arbitrary<Op>): fc.Arbitrary<Op> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("begin" as const), thread }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("call" as const),
        thread,
        usd: cents(200),
        more: cents(MORE_USD * 100),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          "crash" as const,
          "settle" as const,
          "finishStep" as const,
          "cancel" as const,
          "resume" as const,
        ),
        thread,
      }),
    },
    { weight: 2, arbitrary: clock },
  );

/** What really happened: what was spent in all, by whom, and by how much calls cost more than was reckoned. */
type World = {
  clock: { ms: number };
  threads: SpendingThread[];
  running: Set<number>;
  ended: Set<number>;
  spentUsd: number;
  overUsd: number[];
};

const openWorld = async (store: Store): Promise<World> => {
  const clock = { ms: Date.parse("2026-11-15T12:00:00Z") };
  const parts = { store, now: () => clock.ms, monthly };
  const threads = await Promise.all(
    Array.from({ length: THREADS }, (_, at) =>
      spendingThread(parts, { repository: `acme/repository-${at % 2}`, budgetUsd: BUDGET_USD }),
    ),
  );
  return { clock, threads, running: new Set(), ended: new Set(), spentUsd: 0, overUsd: threads.map(() => 0) };
};

const apply = async (world: World, op: Op): Promise<void> => {
  if (op.kind === "clock") {
    world.clock.ms += op.minutes * MINUTE;
    return;
  }
  const one = world.threads[op.thread];
  if (one === undefined) return;
  const isRunning = world.running.has(op.thread);
  world.clock.ms += 1;
  if (op.kind === "begin" && !isRunning && !world.ended.has(op.thread) && (await one.begin()))
    world.running.add(op.thread);
  if (op.kind === "call" && isRunning) {
    const cost = await one.call(op.usd, op.more);
    world.spentUsd += cost;
    // A thread that is over its budget makes no further call: only the one that was under way is over it.
    if (cost > 0) world.overUsd[op.thread] = Math.max(world.overUsd[op.thread] ?? 0, op.more);
  }
  if (op.kind === "finishStep" && isRunning) await one.finishStep();
  if (op.kind === "cancel" && isRunning) {
    await one.cancel();
    await one.settle();
    world.running.delete(op.thread);
    world.ended.add(op.thread);
  }
  if (op.kind === "settle" && isRunning) {
    await one.settle();
    world.running.delete(op.thread);
  }
  if (op.kind === "crash") world.running.delete(op.thread);
  if (op.kind === "resume" && !isRunning) {
    await one.resume();
    world.ended.delete(op.thread);
  }
};

const settleAll = async (world: World): Promise<void> => {
  for (const one of world.threads) await one.settle();
};

const interleavings = (
  name: string,
  open: () => Promise<{ store: Store; dispose(): Promise<void> }>,
  runs: number,
) =>
  describe(name, () => {
    it("never spends more than a month's limit and the calls under way", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(op(withinMonth), { minLength: 40, maxLength: 80 }), async (ops) => {
          const { store, dispose } = await open();
          try {
            const world = await openWorld(store);
            for (const each of ops) {
              await apply(world, each);
              const most = LIMIT_USD + world.overUsd.reduce((sum, usd) => sum + usd, 0);
              expect(world.spentUsd).toBeLessThanOrEqual(most + 1e-6);
            }
          } finally {
            await dispose();
          }
        }),
        { numRuns: runs, endOnFailure: true },
      );
    });

    it("has every cent in one month's account, whatever clocks and workers did", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(op(anyTime), { minLength: 40, maxLength: 80 }), async (ops) => {
          const { store, dispose } = await open();
          try {
            const world = await openWorld(store);
            const periods = new Set<string>();
            for (const each of ops) {
              await apply(world, each);
              periods.add(periodOf(world.clock.ms));
            }
            await settleAll(world);
            const accounts = await Promise.all([...periods].map((period) => store.reserved("total", period)));
            expect(accounts.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(world.spentUsd, 4);
          } finally {
            await dispose();
          }
        }),
        { numRuns: runs, endOnFailure: true },
      );
    });
  });

interleavings("threads on SQLite", async () => temporaryStore(), 25);

describe.skipIf(!postgresIsHere())("on a PostgreSQL server", () => {
  let server: PostgresServer;
  let schemas = 0;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());

  interleavings(
    "threads on PostgreSQL",
    async () => {
      const store = await postgresStore({ url: server.url, schema: `budget_${++schemas}` });
      return { store, dispose: () => store.close() };
    },
    4,
  );
});
