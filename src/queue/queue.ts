import type { ThreadId } from "../base/ids.ts";

/** Ids only: the store has the rest. */
export type Job = { kind: "thread"; thread: ThreadId } | { kind: "delivery"; id: string };

/**
 * Deliveries are short and people wait for their answer: threads do not take a worker's places for them. There are more
 * of these than one installation is given, in whichever queue.
 */
export const DELIVERIES_AT_ONCE = 12;

/** One key per job: the same job twice, while the first waits or runs, is one job. */
export const jobKey = (job: Job): string =>
  job.kind === "thread" ? `thread-${job.thread}` : `delivery-${job.id}`;

/**
 * Handlers are idempotent: a job may come again after a crash, or while it runs elsewhere. What may heal (remedy
 * `retry`) brings the job back later, after `retryAfterMs` where the error has it, for as long as the store says that there
 * is work; what else is thrown is logged and ends it: if the store still says that there is work, the job is left alone for
 * some minutes. The signal fires when the worker closes: finish soon, leave the rest.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

export type JobWorker = {
  /** Takes no new job, fires the signals of the running ones and waits for them. */
  close(): Promise<void>;
};

/**
 * Brings jobs to workers. The store is the truth: what waits there is brought even if nobody says so, and threads come in
 * the order and number in which the store admits them. New deliveries of an installation come before those that come back.
 */
export interface Queue {
  /** There may be work: a new delivery, or a thread that may be admitted now. A job that failed and waits comes at once. */
  enqueue(job: Job): Promise<void>;
  /** `concurrency`: threads at once, 0 for none; deliveries have places of their own. */
  work(handler: JobHandler, options: { concurrency: number }): JobWorker;
  /** Throws `queue-unreachable` (retry) when jobs cannot be brought now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
