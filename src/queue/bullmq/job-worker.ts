import { type BackoffStrategy, type Job as BullJob, UnrecoverableError, Worker } from "bullmq";
import { AppError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { delayAfter, isBusy } from "../back-off.ts";
import { type Job, type JobHandler, type JobWorker, jobKey } from "../queue.ts";
import { readJob } from "./job-data.ts";
import type { RedisClients, WorkerClients } from "./redis-clients.ts";

/** How long a worker may take to tell Redis how its jobs ended. */
const CLOSE_MS = 5_000;

export type JobWorkerOptions = {
  clients: RedisClients;
  prefix: string;
  log: Log;
  concurrency: number;
  /** A worker that has not been heard of for so long has lost its jobs. */
  lockMs: number;
  /** Called before a job whose try failed is left alone for a while, and waited for. */
  comesAgain: (job: Job) => Promise<void>;
  /** Called when a job has ended and is known as such to Redis. */
  ended: (job: Job) => void;
};

/** Comes again after `ms`. Redis keeps no more of an error than its code: messages may hold what people wrote. */
class ComesAgain extends Error {
  readonly ms: number;
  constructor(code: string, ms: number) {
    super(code);
    this.name = "ComesAgain";
    this.ms = ms;
  }
}

const backoffStrategy: BackoffStrategy = (_tries, _type, error) =>
  error instanceof ComesAgain ? error.ms : -1;

/** Takes the jobs of one of BullMQ's queues. */
export const startJobWorker = (
  name: string,
  handler: JobHandler,
  { clients, prefix, log, concurrency, lockMs, comesAgain, ended }: JobWorkerOptions,
): JobWorker => {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  const run = async (bullJob: BullJob): Promise<void> => {
    const job = readJob(bullJob.data);
    if (job === undefined) throw new UnrecoverableError("not a job of uwf");
    if (closing.signal.aborted) throw new ComesAgain("closing", 0);
    try {
      await handler(job, closing.signal);
    } catch (error) {
      const failure = failureOf(error, { job, tries: bullJob.attemptsMade + 1 });
      if (failure instanceof ComesAgain && failure.ms > 0) await comesAgain(job);
      throw failure;
    }
  };
  const failureOf = (error: unknown, { job, tries }: { job: Job; tries: number }): Error => {
    const delay = closing.signal.aborted ? 0 : delayAfter(error, tries);
    const level = isBusy(error) ? "debug" : "warn";
    log[level]({ job: jobKey(job), error: messageOf(error), retryInMs: delay }, "a job did not finish");
    const code = error instanceof AppError ? error.code : "unexpected";
    return delay === null ? new UnrecoverableError(code) : new ComesAgain(code, delay);
  };

  const connections = clients.forWorker();
  const worker = new Worker(
    name,
    (job) => {
      const done = run(job);
      const settled = done.catch(() => undefined).then(() => void running.delete(settled));
      running.add(settled);
      return done;
    },
    {
      connection: connections.first,
      prefix,
      concurrency,
      skipVersionCheck: true,
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 4),
      // Workers that die say nothing about the job.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1_000,
      settings: { backoffStrategy },
    },
  );
  worker.on("error", (error) => {
    if (closing.signal.aborted) log.debug({ error: error.message }, "a queue worker closes");
    else if (/\bjob\b/i.test(error.message))
      log.warn(
        { error: error.message },
        "Redis has lost a running job; it may come to another worker as well",
      );
    else clients.failed(error);
  });
  worker.on("stalled", (id) => log.warn({ job: id }, "a job's worker has died; another one takes it"));
  const seen = (bullJob: BullJob | undefined) => {
    clients.succeeded();
    const job = readJob(bullJob?.data);
    if (job !== undefined) ended(job);
  };
  worker.on("completed", seen);
  worker.on("failed", seen);

  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await worker.pause(true);
    await Promise.all(running);
    await closeWorker(worker, { connections, log });
  };
  return {
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};

/** Waits until Redis knows how the jobs ended; where it is away, whoever takes them next finds out. */
const closeWorker = async (
  worker: Worker,
  { connections, log }: { connections: WorkerClients; log: Log },
): Promise<void> => {
  const mayTell = connections.areReady();
  const closed = worker.close();
  if (mayTell && (await endsInTime(closed))) return connections.disconnect();
  connections.disconnect();
  if (!(await endsInTime(closed))) log.warn({}, "a queue worker does not close");
};

const endsInTime = (closed: Promise<void>): Promise<boolean> => {
  const late = AbortSignal.timeout(CLOSE_MS);
  return Promise.race([
    closed.then(() => true),
    new Promise<boolean>((resolve) => late.addEventListener("abort", () => resolve(false))),
  ]);
};
