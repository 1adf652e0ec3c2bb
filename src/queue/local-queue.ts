import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../store/store.ts";
import { type Job, type JobHandler, jobKey, type Queue } from "./queue.ts";

const POLL_MS = 2_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;
/** Jobs looked at in one pass over the store. */
const PASS = 100;

type Delay = { until: number; ms: number };

/**
 * The queue inside one process, served from the store: what is queued there is the queue, so a restart loses
 * nothing and nothing else needs to run. `enqueue` only wakes the workers.
 */
export const localQueue = ({
  store,
  log,
  now = Date.now,
}: {
  store: Store;
  log: Log;
  now?: () => number;
}): Queue => {
  const wakers = new Set<() => void>();
  const wake = () => {
    for (const waker of wakers) waker();
  };
  return {
    enqueue: async () => wake(),
    work: (handler, { concurrency }) => {
      const pool = startPool({ store, log, now }, { handler, concurrency });
      wakers.add(pool.wake);
      return {
        close: async () => {
          wakers.delete(pool.wake);
          await pool.close();
        },
      };
    },
    close: async () => wakers.clear(),
  };
};

const startPool = (
  { store, log, now }: { store: Store; log: Log; now: () => number },
  { handler, concurrency }: { handler: JobHandler; concurrency: number },
) => {
  const running = new Map<string, { done: Promise<void>; controller: AbortController }>();
  const delays = new Map<string, Delay>();
  let closed = false;
  let pass: Promise<void> | null = null;
  let again = false;

  const wake = () => {
    if (closed) return;
    again = true;
    pass ??= look().finally(() => {
      pass = null;
      if (again) wake();
    });
  };

  const look = async () => {
    again = false;
    try {
      for (const job of await waiting(store)) {
        if (closed || running.size >= concurrency) return;
        const key = jobKey(job);
        if (running.has(key) || (delays.get(key)?.until ?? 0) > now()) continue;
        run(job, key);
      }
    } catch (error) {
      log.error({ error: messageOf(error) }, "cannot read the queue from the store");
    }
  };

  const run = (job: Job, key: string) => {
    const controller = new AbortController();
    const done = handler(job, controller.signal)
      .then(() => void delays.delete(key))
      .catch((error: unknown) => {
        const delay = delayAfter(error, delays.get(key));
        delays.set(key, { until: now() + delay, ms: delay });
        const level = error instanceof AppError && error.code === "thread-busy" ? "debug" : "warn";
        log[level]({ job: key, error: messageOf(error), retryInMs: delay }, "a job did not finish");
      })
      .finally(() => {
        running.delete(key);
        wake();
      });
    running.set(key, { done, controller });
  };

  const timer = setInterval(wake, POLL_MS);
  wake();
  return {
    wake,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await pass;
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
};

/** Deliveries first, then threads, each oldest first; among them threads whose worker died. */
const waiting = async (store: Store): Promise<Job[]> => {
  const deliveries = await store.pendingDeliveries(PASS);
  const threads = await store.threads({ status: ["queued", "running"], order: "oldest", limit: PASS });
  return [
    ...deliveries.map(({ id }): Job => ({ kind: "delivery", id })),
    ...threads.map(({ id }): Job => ({ kind: "thread", thread: id })),
  ];
};

const delayAfter = (error: unknown, before: Delay | undefined): number => {
  if (error instanceof AppError && error.retryAfterMs !== undefined) return error.retryAfterMs;
  return Math.min(before === undefined ? FIRST_DELAY_MS : before.ms * 2, LONGEST_DELAY_MS);
};
