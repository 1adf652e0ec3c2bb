import type { ThreadId } from "../base/ids.ts";

/** Ids only: the store has the rest. */
export type Job = { kind: "thread"; thread: ThreadId } | { kind: "delivery"; id: string };

/** Handlers are idempotent, keyed by the job: it may run again after a crash. Throwing `retry` errors runs it later. */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

export type JobWorker = {
  /** Takes no new job, fires the signals of the running ones and waits for them. */
  close(): Promise<void>;
};

/** Brings jobs to workers. The same job twice, while the first waits, is one job. */
export interface Queue {
  enqueue(job: Job): Promise<void>;
  work(handler: JobHandler, options: { concurrency: number }): JobWorker;
  /** Fires the signal of the job, on whichever worker runs it. */
  cancel(job: Job): Promise<void>;
  close(): Promise<void>;
}
