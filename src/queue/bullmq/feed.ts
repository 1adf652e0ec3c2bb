import { performance } from "node:perf_hooks";
import type { Log } from "../../base/log.ts";
import type { AdmissionLimits } from "../../store/store.ts";
import { coalesced } from "../coalesced.ts";
import { dueDeliveries, dueThreads, type QueueStore } from "../due-jobs.ts";
import { storeOutage } from "../outage.ts";
import type { Places } from "../places.ts";
import { type Job, jobKey } from "../queue.ts";
import { bullJobId, bullKeyId } from "./job-data.ts";
import type { KnownJobs, Lane } from "./lane.ts";
import type { RedisClients } from "./redis-clients.ts";

/** Deliveries that one pass looks at, beside those that are in Redis already; the rest comes when these are done. */
const PASS = 5_000;
/** New deliveries of one installation that are with all workers at once. */
const OF_ONE = 8;
/** A job that ends twice within this, and is still in the store, is left as it is by mistake: no haste. */
const SETTLE_MS = 1_000;
const SWEEP_MS = 30_000;

export type FeedParts = {
  store: QueueStore;
  limits: AdmissionLimits;
  clients: RedisClients;
  lanes: { delivery: Lane; thread: Lane };
  /** The workers of this process. */
  places: ReadonlySet<Places>;
  log: Log;
};

/** Brings to Redis what the store says should be with workers and is not there: new, lost with Redis, or left over. */
export type Feed = {
  /** Ends when the threads that may run now are with the workers. */
  threads(): Promise<void>;
  /** Ends when the deliveries whose turn it is are with the workers. */
  deliveries(): Promise<void>;
  /** Everything, and what is done from time to time. */
  all(): Promise<void>;
  ended(job: Job): void;
  /** The job is wanted, whatever was before. */
  wanted(job: Job): void;
  /** Brings nothing more, and waits for what is under way. */
  close(): Promise<void>;
};

export const feedOf = ({ store, limits, clients, lanes, places, log }: FeedParts): Feed => {
  const ends = new Map<string, { at: number; restsUntil: number }>();
  let sweptAt = performance.now();
  let closed = false;

  const isResting = (key: string) => (ends.get(key)?.restsUntil ?? 0) > performance.now();
  const forget = () => {
    for (const [key, { at }] of ends) if (at + SETTLE_MS <= performance.now()) ends.delete(key);
  };
  /** Redis is asked first: what ends between the two questions is neither in the store's answer nor brought again. */
  const bring = async (lane: Lane, missingFrom: (known: KnownJobs) => Promise<Job[]>): Promise<void> => {
    if (!(await clients.isReachable())) return;
    const known = await attempt(clients, () => lane.known());
    if (known === undefined) return;
    const missing = await missingFrom(known);
    await attempt(clients, () => lane.add(missing));
  };
  const pass = (work: () => Promise<void>, options: { rests?: number } = {}) => {
    const outage = storeOutage(log);
    return coalesced(async () => {
      if (closed) return;
      forget();
      try {
        await work();
        outage.over();
      } catch (error) {
        outage.failed(error);
      }
    }, options);
  };

  const deliveries = pass(
    () =>
      bring(lanes.delivery, ({ taken, resting }) =>
        dueDeliveries(store, {
          limit: PASS + taken.size + resting.size,
          most: OF_ONE,
          whereIs: (key) => {
            const id = bullKeyId(key);
            if (taken.has(id)) return "taken";
            return resting.has(id) || isResting(key) ? "resting" : "free";
          },
        }),
      ),
    { rests: 2 },
  );
  // With ten thousand that wait in a thousand repositories, an admission costs milliseconds of the one database.
  const threads = pass(
    () =>
      bring(lanes.thread, async ({ taken, resting }) => {
        for (const each of places) await each.keep();
        const due = await dueThreads(store, limits);
        const isThere = (id: string) => taken.has(id) || resting.has(id);
        return due.filter((job) => !isThere(bullJobId(job)) && !isResting(jobKey(job)));
      }),
    { rests: 2 },
  );
  const sweep = async () => {
    if (performance.now() < sweptAt + SWEEP_MS || !(await clients.isReachable())) return;
    sweptAt = performance.now();
    for (const lane of [lanes.delivery, lanes.thread]) await attempt(clients, () => lane.sweep());
  };
  return {
    threads,
    deliveries,
    all: async () => void (await Promise.all([sweep(), deliveries(), threads()])),
    ended: (job) => {
      const at = performance.now();
      const before = ends.get(jobKey(job))?.at ?? Number.NEGATIVE_INFINITY;
      ends.set(jobKey(job), { at, restsUntil: before + SETTLE_MS > at ? at + SETTLE_MS : 0 });
    },
    wanted: (job) => void ends.delete(jobKey(job)),
    close: async () => {
      closed = true;
      await Promise.all([deliveries(), threads()]);
    },
  };
};

/** What Redis did not do is said, and done by a later pass. */
export const attempt = async <T>(clients: RedisClients, work: () => Promise<T>): Promise<T | undefined> => {
  try {
    const result = await work();
    clients.succeeded();
    return result;
  } catch (error) {
    clients.failed(error);
    return undefined;
  }
};
