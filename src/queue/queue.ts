import type { ThreadId } from "../base/ids.ts";

/** Ids only: the store has the rest. */
export type Job = { kind: "thread"; thread: ThreadId } | { kind: "delivery"; id: string };

/** One key per job: the same job twice, while the first waits or runs, is one job. */
export const jobKey = (job: Job): string =>
  job.kind === "thread" ? `thread-${job.thread}` : `delivery-${job.id}`;

/**
 * Handlers are idempotent: a job may come again after a crash. What they throw is logged and brings the job back
 * later, after `retryAfterMs` where the error has it, for as long as the store says that there is work; so a
 * handler throws only what may heal. The signal fires when the worker closes: finish soon, leave the rest.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

export type JobWorker = {
  /** Takes no new job, fires the signals of the running ones and waits for them. */
  close(): Promise<void>;
};

/** Brings jobs to workers. */
export interface Queue {
  /** A job that failed before and waits for its time comes at once. */
  enqueue(job: Job): Promise<void>;
  /** `concurrency`: threads at once; deliveries have places of their own. */
  work(handler: JobHandler, options: { concurrency: number }): JobWorker;
  close(): Promise<void>;
}
