import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../store/store.ts";
import { type Job, type JobHandler, jobKey, type Queue } from "./queue.ts";

const POLL_MS = 2_000;
const FIRST_DELAY_MS = 1_000;
/** Between two tries at a job that another process has, and at one that fails. */
const LONGEST_BUSY_MS = 60_000;
const LONGEST_DELAY_MS = 5 * 60_000;
/** An error that asks for more is asked again before. */
const LONGEST_ASKED_MS = 60 * 60_000;
/** Jobs of each kind looked at in one pass over the store, beside those that are known already. */
const PASS = 100;
/** Deliveries are short and people wait for their answer: threads do not take their places. */
const DELIVERIES_AT_ONCE = 4;

/** `ms` is 0 after a success: a job that is still there a moment later was left on purpose, or by mistake. */
type Delay = { until: number; ms: number };
type Waiting = Pick<Store, "pendingDeliveries" | "threads">;

/**
 * The queue inside one process, served from the store: what is queued there is the queue, so a restart loses
 * nothing and nothing else needs to run. `enqueue` only wakes the workers, which then wait no longer for that job.
 */
export const localQueue = ({
  store,
  log,
  now = Date.now,
}: {
  store: Waiting;
  log: Log;
  now?: () => number;
}): Queue => {
  const wakers = new Set<(job: Job) => void>();
  return {
    enqueue: async (job) => {
      for (const wake of wakers) wake(job);
    },
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
    check: async () => undefined,
    close: async () => wakers.clear(),
  };
};

const startPool = (
  { store, log, now }: { store: Waiting; log: Log; now: () => number },
  { handler, concurrency }: { handler: JobHandler; concurrency: number },
) => {
  const running = new Map<string, { job: Job; done: Promise<void>; controller: AbortController }>();
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
      forget();
      for (const job of await waiting(store, PASS + delays.size + running.size)) {
        if (closed) return;
        const key = jobKey(job);
        if (running.has(key) || (delays.get(key)?.until ?? 0) > now() || !hasRoom(job)) continue;
        run(job, key);
      }
    } catch (error) {
      log.error({ error: messageOf(error) }, "cannot read the queue from the store");
    }
  };

  const hasRoom = ({ kind }: Job): boolean => {
    const same = [...running.values()].filter(({ job }) => job.kind === kind).length;
    return same < (kind === "thread" ? concurrency : DELIVERIES_AT_ONCE);
  };

  /** What was due long ago and did not come back is done, perhaps by another process. */
  const forget = () => {
    for (const [key, { until }] of delays)
      if (until + LONGEST_DELAY_MS < now() && !running.has(key)) delays.delete(key);
  };

  const run = (job: Job, key: string) => {
    const controller = new AbortController();
    const done = handler(job, controller.signal)
      .then(() => void delays.set(key, { until: now() + FIRST_DELAY_MS, ms: 0 }))
      .catch((error: unknown) => {
        const delay = delayAfter(error, delays.get(key));
        delays.set(key, { until: now() + delay, ms: delay });
        const level = isBusy(error) ? "debug" : "warn";
        log[level]({ job: key, error: messageOf(error), retryInMs: delay }, "a job did not finish");
      })
      .finally(() => {
        running.delete(key);
        wake();
      });
    running.set(key, { job, done, controller });
  };

  const timer = setInterval(wake, POLL_MS);
  wake();
  return {
    wake: (job: Job) => {
      delays.delete(jobKey(job));
      wake();
    },
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
const waiting = async (store: Waiting, limit: number): Promise<Job[]> => {
  const deliveries = await store.pendingDeliveries(limit);
  const threads = await store.threads({ status: ["queued", "running"], order: "oldest", limit });
  return [
    ...deliveries.map(({ id }): Job => ({ kind: "delivery", id })),
    ...threads.map(({ id }): Job => ({ kind: "thread", thread: id })),
  ];
};

const delayAfter = (error: unknown, before: Delay | undefined): number => {
  if (error instanceof AppError && error.retryAfterMs !== undefined)
    return Math.min(Math.max(error.retryAfterMs, FIRST_DELAY_MS), LONGEST_ASKED_MS);
  const longest = isBusy(error) ? LONGEST_BUSY_MS : LONGEST_DELAY_MS;
  return Math.min(Math.max(FIRST_DELAY_MS, (before?.ms ?? 0) * 2), longest);
};

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === "thread-busy";
