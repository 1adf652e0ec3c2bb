import type { Queue as BullQueue } from "bullmq";
import type { Log } from "../base/log.ts";
import type { AdmissionLimits } from "../store/store.ts";
import { attempt, feedOf } from "./bullmq/feed.ts";
import { startJobWorker } from "./bullmq/job-worker.ts";
import { openLane } from "./bullmq/lane.ts";
import { redisClients } from "./bullmq/redis-clients.ts";
import { coalesced } from "./coalesced.ts";
import { dueHandler } from "./due-handler.ts";
import type { QueueStore } from "./due-jobs.ts";
import { type Places, workerPlaces } from "./places.ts";
import { DELIVERIES_AT_ONCE, type Job, type JobHandler, type JobWorker, type Queue } from "./queue.ts";

const FEED_MS = 2_000;
const LOCK_MS = 20_000;
const names = { delivery: "uwf-deliveries", thread: "uwf-threads" } as const;

export type BullmqQueueOptions = {
  store: QueueStore;
  limits: AdmissionLimits;
  log: Log;
  /** `redis://user:password@host:port/database`, or `rediss` for TLS. */
  url: string;
  /** What the names of its keys begin with, where several share one Redis. */
  prefix?: string;
  /** A worker that says nothing for this long, and a quarter more, loses its jobs to others. */
  lockMs?: number;
};

/** `boards`: BullMQ's own queues, for its dashboard. */
export type BullmqQueue = Queue & { boards: readonly BullQueue[] };

/**
 * The queue of many machines, on BullMQ. Redis holds ids, and nothing that the store could not bring again: every process
 * that works compares the two every few seconds. Throws `redis-url` (fix-config); a Redis that is away is waited for.
 */
export const bullmqQueue = (options: BullmqQueueOptions): BullmqQueue => {
  const { store, limits, log, url, prefix = "uwf", lockMs = LOCK_MS } = options;
  const clients = redisClients(url, log);
  const lanes = {
    delivery: openLane(names.delivery, { clients, prefix }),
    thread: openLane(names.thread, { clients, prefix }),
  };
  const places = new Set<Places>();
  const feed = feedOf({ store, limits, clients, lanes, places, log });
  let timer: NodeJS.Timeout | undefined;

  const bringDelivery = batches(async (jobs) => {
    // First: what is brought now may have failed by then.
    if (await clients.isReachable()) await attempt(clients, () => lanes.delivery.hasten(jobs));
    await feed.deliveries();
  });
  const bringThread = async (job: Job): Promise<void> => {
    await feed.threads();
    if (await clients.isReachable()) await attempt(clients, () => lanes.thread.hasten([job]));
  };
  const startWorker = (handler: JobHandler, kind: Job["kind"], concurrency: number): JobWorker =>
    startJobWorker(names[kind], dueHandler(handler, { store, log }), {
      clients,
      prefix,
      log,
      concurrency,
      lockMs,
      // The order of threads is the store's.
      comesAgain: async (job) => {
        if (kind === "delivery") await attempt(clients, () => lanes.delivery.putLast(job));
      },
      ended: (job) => {
        feed.ended(job);
        void (job.kind === "thread" ? feed.threads() : feed.deliveries());
      },
    });

  return {
    boards: [lanes.delivery.board, lanes.thread.board],
    enqueue: (job) => {
      feed.wanted(job);
      return job.kind === "delivery" ? bringDelivery(job) : bringThread(job);
    },
    work: (handler, { concurrency }) => {
      const workers = [startWorker(handler, "delivery", DELIVERIES_AT_ONCE)];
      if (concurrency > 0) workers.push(startWorker(handler, "thread", concurrency));
      const own = workerPlaces(store, { places: concurrency, log });
      places.add(own);
      timer ??= setInterval(feed.all, FEED_MS);
      void feed.all();
      return {
        close: async () => {
          places.delete(own);
          // A store that is away for now keeps no running job waiting to be told.
          await Promise.all([own.giveUp(), ...workers.map((worker) => worker.close())]);
        },
      };
    },
    check: clients.check,
    close: async () => {
      clearInterval(timer);
      await feed.close();
      await Promise.all([lanes.delivery.close(), lanes.thread.close()]);
      clients.disconnect();
    },
  };
};

/** While one batch is being written, the next gathers. */
const batches = (write: (jobs: readonly Job[]) => Promise<void>): ((job: Job) => Promise<void>) => {
  let gathered: Job[] = [];
  const flush = coalesced(async () => {
    const jobs = gathered;
    gathered = [];
    await write(jobs);
  });
  return (job) => {
    gathered.push(job);
    return flush();
  };
};
