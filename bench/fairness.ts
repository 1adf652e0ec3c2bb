import { silentLog } from "../src/base/log.ts";
import { bullmqQueue } from "../src/queue/bullmq-queue.ts";
import type { Queue } from "../src/queue/queue.ts";
import { postgresStore } from "../src/store/postgres-store.ts";
import type { Store } from "../src/store/store.ts";
import { startThread } from "../src/thread/start.ts";
import { type LoadWorkers, loadWorkers } from "./load-workers.ts";
import type { Row } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { withRedis } from "./redis.ts";
import { issueOf, stubThread, stubWorkflow } from "./stub-workflow.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const ISSUES = 1_000;
const OTHERS = 20;
/** How long a thread takes: long enough that the order in which they are seen is the order in which they began. */
const THINK_MS = 30;
const limits = { perRepository: 1, perInstallation: 4, total: null };

/**
 * One organisation opens a thousand issues, and a worker with one place works on them. Then others open their first: how
 * many threads begin between an issue and its thread?
 */
export const fairness = (): Promise<Row[]> =>
  withPostgres((postgres) =>
    withRedis((redis) =>
      inTemporaryDirectory(async (root) => {
        const database = await postgres.database();
        const store = await postgresStore({ url: database });
        const queue = bullmqQueue({ url: redis.url, store, log: silentLog, limits });
        for (let issue = 1; issue <= ISSUES; issue++)
          await open({ store, queue }, { organisation: 1, repository: issue % 10, issue });
        const options = { database, redis: redis.url, root, steps: 1, places: 1, thinkMs: THINK_MS, limits };
        const workers = await loadWorkers(1, options);
        const between: number[] = [];
        for (let other = 1; other <= OTHERS; other++) {
          await workers.reached(workers.asked.length + 2);
          between.push(await threadsBetween(workers, { store, queue, organisation: 1 + other }));
        }
        await workers.stop();
        await queue.close();
        await store.close();
        return [rowOf(Math.max(...between))];
      }),
    ),
  );

type Parts = { store: Store; queue: Queue };

const open = async (
  { store, queue }: Parts,
  issue: { organisation: number; repository: number; issue: number },
): Promise<string> => {
  const thread = stubThread(await stubWorkflow(), { steps: 1, source: issueOf(issue) });
  const { id } = await startThread(store, thread);
  await queue.enqueue({ kind: "thread", thread: id });
  return id;
};

const threadsBetween = async (
  workers: LoadWorkers,
  { organisation, ...parts }: Parts & { organisation: number },
): Promise<number> => {
  const before = workers.asked.length;
  const id = await open(parts, { organisation, repository: 1, issue: 1 });
  for (let seen = before; ; seen++) {
    await workers.reached(seen + 1);
    if (workers.asked[seen]?.thread === id) return seen - before;
  }
};

const rowOf = (most: number): Row => ({
  measured: `Threads that began before another's first issue, ${ISSUES} issues waiting`,
  uwf: `at most ${most}`,
  beside: "",
  result: `${most}`,
  goal: { text: "≤ 1", met: most <= 1 },
});
