import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { silentLog } from "../src/base/log.ts";
import { bullmqQueue } from "../src/queue/bullmq-queue.ts";
import type { Queue } from "../src/queue/queue.ts";
import { postgresStore } from "../src/store/postgres-store.ts";
import type { Store } from "../src/store/store.ts";
import { startThread } from "../src/thread/start.ts";
import type { PostgresServer } from "../test/rigs/postgres-server.ts";
import type { RedisServer } from "../test/rigs/redis-server.ts";
import { type Asked, type LoadWorkers, loadWorkers } from "./load-workers.ts";
import { perSecond, type Row, times } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { processorSeconds } from "./process-figures.ts";
import { withRedis } from "./redis.ts";
import { issueOf, stubThread, stubWorkflow } from "./stub-workflow.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const THREADS = 10_000;
const ORGANISATIONS = 100;
const REPOSITORIES = 10;
const STEPS = 3;
/** Threads at once in one worker. */
const PLACES = 8;
const WORKERS = [1, 2, 4];
const limits = { perRepository: 1, perInstallation: 4, total: null };

/** Threads by a number of workers: how fast, whether each ran once, and what the machine was busy with. */
export const load = async (): Promise<Row[]> => {
  const runs: Run[] = [];
  for (const workers of WORKERS)
    runs.push(
      await withPostgres((postgres) =>
        withRedis((redis) => inTemporaryDirectory((root) => runWith(workers, { postgres, redis, root }))),
      ),
    );
  return runs.flatMap((run) => rowsOf(run, runs[0] ?? run));
};

type Shares = { workers: number; postgres: number; redis: number };
type Run = { workers: number; threadsPerSecond: number; lost: number; doubled: number; busy: Shares };
type Parts = { postgres: PostgresServer; redis: RedisServer; root: string };

const runWith = async (count: number, { postgres, redis, root }: Parts): Promise<Run> => {
  const database = await postgres.database();
  const store = await postgresStore({ url: database });
  const queue = bullmqQueue({ url: redis.url, store, log: silentLog, limits });
  await fill(store, queue);
  const options = { database, redis: redis.url, root, steps: STEPS, places: PLACES, thinkMs: 0, limits };
  const workers = await loadWorkers(count, options);
  try {
    const measured = await measure(workers, { store, servers: { postgres: postgres.pid, redis: redis.pid } });
    return { workers: count, ...measured };
  } finally {
    await workers.stop();
    await queue.close();
    await store.close();
  }
};

/** As the intake does it: each thread in the store, then a word to the queue. */
const fill = async (store: Store, queue: Queue): Promise<void> => {
  const workflow = await stubWorkflow();
  const numbers = Array.from({ length: THREADS }, (_, number) => number).values();
  const add = async () => {
    for (const number of numbers) {
      const organisation = number % ORGANISATIONS;
      const repository = Math.floor(number / ORGANISATIONS) % REPOSITORIES;
      const source = issueOf({ organisation, repository, issue: number });
      const { id } = await startThread(store, stubThread(workflow, { steps: STEPS, source }));
      await queue.enqueue({ kind: "thread", thread: id });
    }
  };
  await Promise.all(Array.from({ length: 16 }, add));
};

const measure = async (
  workers: LoadWorkers,
  { store, servers }: { store: Store; servers: { postgres: number; redis: number } },
): Promise<Omit<Run, "workers">> => {
  const busy = async (): Promise<Shares> => ({
    workers: (await Promise.all(workers.pids.map(processorSeconds))).reduce((sum, each) => sum + each, 0),
    postgres: await processorSeconds(servers.postgres),
    redis: await processorSeconds(servers.redis),
  });
  const [before, begun] = [await busy(), performance.now()];
  await workers.reached(THREADS * STEPS);
  const [after, ended] = [await busy(), performance.now()];
  while ((await store.threads({ status: ["queued", "running"], limit: 1 })).length > 0) await setTimeout(100);
  const { completed } = (await store.counts()).threads;
  const seconds = (ended - begun) / 1000;
  const share = (part: keyof Shares): number =>
    (after[part] - before[part]) / seconds / availableParallelism();
  return {
    threadsPerSecond: THREADS / seconds,
    lost: THREADS - completed,
    doubled: doubledIn(workers.asked),
    busy: { workers: share("workers"), postgres: share("postgres"), redis: share("redis") },
  };
};

/** Steps that an agent was asked for more than once. */
const doubledIn = (asked: readonly Asked[]): number =>
  asked.length - new Set(asked.map(({ thread, step }) => `${thread} ${step}`)).size;

const rowsOf = ({ workers, threadsPerSecond, lost, doubled, busy }: Run, one: Run): Row[] => {
  const measured = `${THREADS} threads of ${STEPS} steps by ${workers} worker${workers === 1 ? "" : "s"}`;
  const cores = availableParallelism();
  const all = busy.workers + busy.postgres + busy.redis;
  return [
    {
      measured,
      uwf: perSecond(threadsPerSecond),
      beside: workers === 1 ? "" : `one worker ${perSecond(one.threadsPerSecond)}`,
      result: `${lost} lost, ${doubled} doubled`,
      goal: { text: "0 lost, 0 doubled", met: lost === 0 && doubled === 0 },
    },
    {
      measured: `What ${cores} cores did meanwhile`,
      uwf: `workers ${percent(busy.workers)}`,
      beside: `PostgreSQL ${percent(busy.postgres)}, Redis ${percent(busy.redis)}`,
      result:
        workers === 1 ? percent(all) : `${percent(all)}, ${times(threadsPerSecond / one.threadsPerSecond)}`,
      goal: null,
    },
  ];
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;
