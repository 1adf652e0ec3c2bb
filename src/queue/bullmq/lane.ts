import { Queue as BullQueue } from "bullmq";
import { REST_MS } from "../back-off.ts";
import type { Job } from "../queue.ts";
import { bullJobId } from "./job-data.ts";
import type { RedisClients } from "./redis-clients.ts";

/** Jobs written in one pipeline. */
const BATCH = 500;
/** Failed jobs that Bull Board shows. */
const FAILED = 1_000;

/** Of the jobs in back-off, those that come last are looked at. */
const LAST_DELAYED = 500;
/** Clocks of machines differ by less, where somebody sets them. */
const SKEW_MS = 5_000;
/** BullMQ orders jobs in back-off by the time at which they come, and by a number within one millisecond. */
const SCORE_PER_MS = 0x1000;

/** Below those that have none. */
const TRIED_PRIORITY = 1;
/** Jobs that one sweep lets pass what is new. */
const LET_PASS = 8;

/**
 * The ids of jobs that are there. Resting: those that wait in back-off, or have been in it and wait or run without a place of what is new,
 * or ended in what does not heal. Taken: all others that wait or run.
 */
export type KnownJobs = { taken: ReadonlySet<string>; resting: ReadonlySet<string> };

/** One of BullMQ's queues: deliveries, or threads. */
export type Lane = {
  board: BullQueue;
  known(): Promise<KnownJobs>;
  /** Adds jobs; those that are there already stay as they are. */
  add(jobs: readonly Job[]): Promise<void>;
  /** Brings jobs at once that wait in back-off or ended in what does not heal. */
  hasten(jobs: readonly Job[]): Promise<void>;
  /** Has the job, which runs, come after all that are new when it comes again. */
  putLast(job: Job): Promise<void>;
  /**
   * Forgets jobs that have rested for long enough, brings those that a clock keeps from coming, and lets some that came again and wait for
   * what is new wait no longer.
   */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

export const openLane = (
  name: string,
  { clients, prefix }: { clients: RedisClients; prefix: string },
): Lane => {
  const { producer } = clients;
  const board = new BullQueue(name, {
    connection: producer,
    prefix,
    // Its question to Redis would break the queue for good if the answer got lost.
    skipVersionCheck: true,
    streams: { events: { maxLen: 1_000 } },
    defaultJobOptions: {
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: "uwf" },
      removeOnComplete: true,
      removeOnFail: { age: REST_MS / 1_000, count: FAILED },
      stackTraceLimit: 0,
    },
  });
  board.on("error", clients.failed);

  const add = async (jobs: readonly Job[]): Promise<void> => {
    for (let from = 0; from < jobs.length; from += BATCH)
      await board.addBulk(
        jobs.slice(from, from + BATCH).map((job) => ({
          name: job.kind,
          data: job,
          opts: { jobId: bullJobId(job) },
        })),
      );
  };
  /** Those of the jobs that are in BullMQ's sorted set of this name. */
  const among = async (set: "delayed" | "failed" | "prioritized", jobs: readonly Job[]): Promise<Job[]> => {
    const scores = await producer.zmscore(board.toKey(set), ...jobs.map(bullJobId));
    return jobs.filter((_, index) => scores[index] !== null);
  };
  /** Jobs that wait for longer than they were told to: the clock was set back since, or is another machine's that is fast. */
  const overdue = async (): Promise<string[]> => {
    const last = await producer.zrevrange(board.toKey("delayed"), 0, LAST_DELAYED - 1, "WITHSCORES");
    const waiting = last.flatMap((id, place) => {
      const leftMs = Number(last[place + 1]) / SCORE_PER_MS - Date.now();
      return place % 2 === 0 && leftMs > SKEW_MS ? [{ id, leftMs }] : [];
    });
    const asked = await Promise.all(waiting.map(({ id }) => producer.hget(board.toKey(id), "delay")));
    return waiting.flatMap(({ id, leftMs }, place) => (leftMs > Number(asked[place]) + SKEW_MS ? [id] : []));
  };
  const prioritize = (id: string, priority: number): Promise<void> =>
    unless(NOT_THERE, board.getBackend().changePriority(id, priority));
  return {
    board,
    known: async () => {
      const [waiting, active, others] = await Promise.all([
        board.getRanges(["wait"], 0, -1),
        board.getRanges(["active"], 0, -1),
        board.getRanges(["delayed", "prioritized", "failed"], 0, -1),
      ]);
      const priorities = await Promise.all(active.map((id) => producer.hget(board.toKey(id), "priority")));
      const again = active.filter((_, at) => Number(priorities[at]) === TRIED_PRIORITY);
      return {
        taken: new Set([...waiting, ...active]).difference(new Set(again)),
        resting: new Set([...others, ...again]),
      };
    },
    add,
    hasten: async (jobs) => {
      if (jobs.length === 0) return;
      const [delayed, failed, passedBy] = await Promise.all([
        among("delayed", jobs),
        among("failed", jobs),
        among("prioritized", jobs),
      ]);
      await Promise.all([...delayed, ...passedBy].map((job) => prioritize(bullJobId(job), 0)));
      await Promise.all(delayed.map((job) => promote(board, bullJobId(job))));
      await Promise.all(failed.map((job) => board.remove(bullJobId(job))));
      await add(failed);
    },
    putLast: (job) => prioritize(bullJobId(job), TRIED_PRIORITY),
    sweep: async () => {
      await board.clean(REST_MS, FAILED, "failed");
      await Promise.all((await overdue()).map((id) => promote(board, id)));
      const tried = await producer.zrange(board.toKey("prioritized"), "0", `${LET_PASS - 1}`);
      await Promise.all(tried.map((id) => prioritize(id, 0)));
    },
    close: () => board.close(),
  };
};

/** BullMQ's answers to whoever comes second: the job has ended; somebody else has promoted it, or its time has come. */
const NOT_THERE = -1;
const NOT_DELAYED = -3;

const unless = async (code: number, work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === code)) throw error;
  }
};

const promote = (board: BullQueue, id: string): Promise<void> =>
  unless(NOT_DELAYED, board.getBackend().promote(id));
