import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { isWithWorkers, type QueueStore } from "./due-jobs.ts";
import { type JobHandler, jobKey } from "./queue.ts";

/**
 * The handler, asked for a thread only while that is with workers: a job may be older than what the store says. A thread
 * that has left the workers when its handler throws needs no other try from the queue: the store says when it comes again.
 */
export const dueHandler =
  (handler: JobHandler, { store, log }: { store: QueueStore; log: Log }): JobHandler =>
  async (job, signal) => {
    if (job.kind === "delivery") return handler(job, signal);
    if (!isWithWorkers(await store.thread(job.thread))) return;
    try {
      await handler(job, signal);
    } catch (error) {
      // Others have it, or will: that is not asked of a store that may not answer.
      if (error instanceof AppError && error.code === "thread-moved") throw error;
      if (isWithWorkers(await store.thread(job.thread))) throw error;
      log.warn({ job: jobKey(job), error: messageOf(error) }, "a thread went back to the store");
    }
  };
