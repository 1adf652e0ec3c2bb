import { performance } from "node:perf_hooks";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { AdmissionLimits } from "../store/store.ts";
import { delayAfter, isBusy, REST_MS } from "./back-off.ts";
import { coalesced } from "./coalesced.ts";
import { dueHandler } from "./due-handler.ts";
import { dueDeliveries, dueThreads, type QueueStore } from "./due-jobs.ts";
import { storeOutage } from "./outage.ts";
import { workerPlaces } from "./places.ts";
import {
  DELIVERIES_AT_ONCE,
  type Job,
  type JobHandler,
  type JobWorker,
  jobKey,
  type Queue,
} from "./queue.ts";

const POLL_MS = 2_000;
/** Deliveries looked at in one pass over the store, beside those that are known already. */
const PASS = 100;
/** Deliveries of one installation at once. */
const OF_ONE = 4;
/** A job that is still there so soon after a success was left on purpose, or by mistake. */
const SETTLE_MS = 1_000;

export type LocalQueueOptions = {
  store: QueueStore;
  limits: AdmissionLimits;
  log: Log;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
};

/**
 * The queue inside one process, served from the store: what is queued there is the queue, so a restart loses
 * nothing and nothing else needs to run. `enqueue` only wakes the workers, which then wait no longer for that job.
 */
export const localQueue = ({ now = monotonic, ...parts }: LocalQueueOptions): Queue => {
  const wakers = new Set<(job: Job) => void>();
  return {
    enqueue: async (job) => {
      for (const wake of wakers) wake(job);
    },
    work: (handler, { concurrency }) => {
      const pool = startPool({ ...parts, now }, { handler, concurrency });
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

const monotonic = (): number => performance.now();

type Parts = Required<LocalQueueOptions>;
type Work = { handler: JobHandler; concurrency: number };
/** `tries` counts the ones that failed since the last success. */
type Delay = { until: number; tries: number };

const startPool = (
  parts: Parts,
  { handler, concurrency }: Work,
): JobWorker & { wake: (job: Job) => void } => {
  const { store, limits, log } = parts;
  const running = new Map<string, { job: Job; done: Promise<void> }>();
  const delays = delaysOf(parts);
  const closing = new AbortController();
  const places = workerPlaces(store, { places: concurrency, log });
  const outage = storeOutage(log);
  const handle = dueHandler(handler, parts);

  const look = coalesced(async () => {
    if (closing.signal.aborted) return;
    try {
      delays.forget();
      await places.keep();
      const deliveries = await dueDeliveries(store, {
        limit: PASS + delays.size + running.size,
        most: OF_ONE,
        whereIs: (key) => (running.has(key) ? "taken" : delays.isOver(key) ? "free" : "resting"),
        againAt: delays.endOf,
      });
      const threads = concurrency === 0 ? [] : await dueThreads(store, limits);
      outage.over();
      for (const job of [...deliveries, ...threads]) {
        const key = jobKey(job);
        if (closing.signal.aborted) return;
        if (!running.has(key) && delays.isOver(key) && hasRoom(job)) run(job, key);
      }
    } catch (error) {
      outage.failed(error);
    }
  });

  const hasRoom = ({ kind }: Job): boolean => {
    const same = [...running.values()].filter(({ job }) => job.kind === kind).length;
    return same < (kind === "thread" ? concurrency : DELIVERIES_AT_ONCE);
  };

  const run = (job: Job, key: string) => {
    const done = handle(job, closing.signal)
      .then(() => delays.succeeded(key))
      .catch((error: unknown) => delays.failed(key, error))
      .finally(() => {
        running.delete(key);
        void look();
      });
    running.set(key, { job, done });
  };

  const timer = setInterval(look, POLL_MS);
  void look();
  return {
    wake: (job) => {
      delays.end(jobKey(job));
      void look();
    },
    close: async () => {
      clearInterval(timer);
      closing.abort();
      // A pass under way may have started jobs before it saw the signal.
      await look();
      await Promise.all([...running.values()].map(({ done }) => done));
      await places.giveUp();
    },
  };
};

const delaysOf = ({ log, now }: Parts) => {
  const delays = new Map<string, Delay>();
  return {
    get size() {
      return delays.size;
    },
    isOver: (key: string): boolean => (delays.get(key)?.until ?? 0) <= now(),
    endOf: (key: string): number | undefined => delays.get(key)?.until,
    end: (key: string): void => void delays.delete(key),
    succeeded: (key: string): void => void delays.set(key, { until: now() + SETTLE_MS, tries: 0 }),
    failed: (key: string, error: unknown): void => {
      const tries = (delays.get(key)?.tries ?? 0) + 1;
      const delay = delayAfter(error, tries);
      delays.set(key, { until: now() + (delay ?? REST_MS), tries });
      const level = isBusy(error) ? "debug" : "warn";
      log[level]({ job: key, error: messageOf(error), retryInMs: delay }, "a job did not finish");
    },
    /** What was due long ago and did not come back is done, perhaps by another process. */
    forget: (): void => {
      for (const [key, { until }] of delays) if (until + REST_MS < now()) delays.delete(key);
    },
  };
};
