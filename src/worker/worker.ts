import { messageOf } from "../base/errors.ts";
import { type DeliveryParts, handleDelivery } from "../intake/handle-delivery.ts";
import type { Queue } from "../queue/queue.ts";
import type { Engine } from "../thread/engine.ts";
import { runThread } from "../thread/run.ts";
import type { Reporter } from "./report.ts";

export type WorkerParts = {
  engine: Engine;
  queue: Queue;
  reporter: Reporter;
  /** Null where no webhooks are served. */
  deliveries: DeliveryParts | null;
  /** Threads at once. */
  concurrency: number;
};

export type Worker = {
  /** Lets every running turn finish, hands the threads back, and waits. */
  close(): Promise<void>;
};

const CATCH_UP_MS = 30_000;
/** A thread that gets no further for so long, because of its model or its forge, fails. */
const WAIT_OUT_MS = 6 * 60 * 60_000;

/** Takes jobs from the queue: deliveries become threads, threads are run and reported. */
export const startWorker = ({ engine, queue, reporter, deliveries, concurrency }: WorkerParts): Worker => {
  const pool = queue.work(
    async (job, drain) => {
      if (job.kind === "delivery") {
        const thread = deliveries === null ? undefined : await handleDelivery(deliveries, job.id, drain);
        if (thread !== undefined)
          engine.emit({
            thread: thread.id,
            at: engine.now(),
            kind: "status",
            status: thread.status,
            reason: thread.reason,
          });
        return;
      }
      const options = { signal: neverAborted(), drain, waitOutMs: WAIT_OUT_MS };
      const record = await runThread(engine, job.thread, options);
      engine.log.info({ thread: record.id, status: record.status, reason: record.reason }, "thread stopped");
      // What cannot be shown now is shown by the next catch-up.
      await reporter.show(record.id).catch((error: unknown) => {
        engine.log.warn({ thread: record.id, error: messageOf(error) }, "cannot show the thread's state");
      });
    },
    { concurrency },
  );
  const catchUp = () =>
    reporter
      .catchUp()
      .catch((error: unknown) => engine.log.warn({ error: messageOf(error) }, "cannot catch up"));
  void catchUp();
  const timer = setInterval(catchUp, CATCH_UP_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await pool.close();
      await reporter.close();
    },
  };
};

/** Draining waits for the turn under way; only the process's end stops it sooner. */
const neverAborted = (): AbortSignal => new AbortController().signal;
