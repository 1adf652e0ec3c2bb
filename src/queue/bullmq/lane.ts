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

/** One of BullMQ's queues: deliveries, or threads. */
export type Lane = {
  board: BullQueue;
  /** The ids of jobs that are there: those that wait, run, wait in back-off, or ended in what does not heal. */
  known(): Promise<Set<string>>;
  /** Adds jobs; those that are there already stay as they are. */
  add(jobs: readonly Job[]): Promise<void>;
  /** Brings jobs at once that wait in back-off or ended in what does not heal. */
  hasten(jobs: readonly Job[]): Promise<void>;
  /** Forgets jobs that have rested for long enough, and brings those that a clock keeps from coming. */
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
  const among = async (set: "delayed" | "failed", jobs: readonly Job[]): Promise<Job[]> => {
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
  return {
    board,
    known: async () => new Set(await board.getRanges(["wait", "active", "delayed", "failed"], 0, -1)),
    add,
    hasten: async (jobs) => {
      if (jobs.length === 0) return;
      const [delayed, failed] = await Promise.all([among("delayed", jobs), among("failed", jobs)]);
      await Promise.all(delayed.map((job) => promote(board, bullJobId(job))));
      await Promise.all(failed.map((job) => board.remove(bullJobId(job))));
      await add(failed);
    },
    sweep: async () => {
      await board.clean(REST_MS, FAILED, "failed");
      await Promise.all((await overdue()).map((id) => promote(board, id)));
    },
    close: () => board.close(),
  };
};

/** BullMQ's answer to whoever comes second: somebody else has promoted the job, or its time has come. */
const NOT_DELAYED = -3;

const promote = async (board: BullQueue, id: string): Promise<void> => {
  try {
    await board.getBackend().promote(id);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === NOT_DELAYED)) throw error;
  }
};
