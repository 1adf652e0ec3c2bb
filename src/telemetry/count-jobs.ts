import { AppError } from "../base/errors.ts";
import type { JobHandler, Queue } from "../queue/queue.ts";
import type { Metrics } from "./metrics.ts";

/** The same queue; the jobs that it brings are counted. */
export const countedQueue = (queue: Queue, metrics: Pick<Metrics, "job">): Queue => ({
  enqueue: (job) => queue.enqueue(job),
  work: (handler, options) => queue.work(counted(handler, metrics), options),
  check: () => queue.check(),
  close: () => queue.close(),
});

const counted =
  (handler: JobHandler, metrics: Pick<Metrics, "job">): JobHandler =>
  async (job, signal) => {
    const over = metrics.job(job.kind);
    try {
      await handler(job, signal);
      over("done");
    } catch (error) {
      over(error instanceof AppError && error.remedy === "retry" ? "retried" : "failed");
      throw error;
    }
  };
