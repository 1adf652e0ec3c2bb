import { AppError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { handleDelivery } from "../intake/handle-delivery.ts";
import type { IntakeParts } from "../intake/parts.ts";
import type { Queue } from "../queue/queue.ts";
import type { ThreadRecord } from "../store/store.ts";
import { pauseThread } from "../thread/commands.ts";
import type { Engine } from "../thread/engine.ts";
import { runThread } from "../thread/run.ts";
import { isRunnable } from "../thread/state.ts";
import { reserveBudget, settleBudget } from "./budget.ts";
import type { MonthlyLimits } from "./budget-accounts.ts";
import { collectDaily } from "./collect-daily.ts";
import type { Reporter } from "./report.ts";
import { tidyWorkspaces } from "./tidy-workspaces.ts";

export type WorkerParts = {
  engine: Engine;
  queue: Queue;
  reporter: Reporter;
  /** Null where no webhooks are served. */
  deliveries: IntakeParts | null;
  /** Threads at once. */
  concurrency: number;
  /** What threads may spend in a month; null: no limits. */
  monthly: MonthlyLimits | null;
};

export type Worker = {
  /** Lets every running turn finish, hands the threads back, and waits. */
  close(): Promise<void>;
};

const CATCH_UP_MS = 30_000;
/** A forge delivers again what is some days old, at most. */
const REMEMBERED_MS = 30 * 24 * 60 * 60_000;
/** A thread that gets no further for so long, because of its model or its forge, fails. */
const WAIT_OUT_MS = 6 * 60 * 60_000;

/** Takes jobs from the queue: deliveries become threads, threads are run and reported. */
export const startWorker = (parts: WorkerParts): Worker => {
  const { engine, queue, reporter, deliveries, concurrency, monthly } = parts;
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
      await runJob({ engine, reporter, monthly }, { thread: job.thread, drain });
    },
    { concurrency },
  );
  const failed = (what: string) => (error: unknown) => engine.log.warn({ error: messageOf(error) }, what);
  const catchingUp = regularly(async () => {
    await reporter.catchUp().catch(failed("cannot catch up"));
    await tidyWorkspaces(engine).catch(failed("cannot look for workspaces that were left"));
    await engine.store.forget(REMEMBERED_MS).catch(failed("cannot forget what was handled long ago"));
  });
  const closing = new AbortController();
  const collecting = regularly(() =>
    collectDaily({ ...engine, signal: closing.signal }).catch(
      failed("cannot look when nodes were collected"),
    ),
  );
  return {
    close: async () => {
      closing.abort();
      const caughtUp = Promise.all([catchingUp.close(), collecting.close()]);
      await pool.close();
      await reporter.close();
      await caughtUp;
    },
  };
};

/** Does it now and from time to time, never twice at once. `work` must not reject. `close` waits for it. */
const regularly = (work: () => Promise<void>): { close(): Promise<void> } => {
  let current: Promise<void> | null = null;
  const run = () => {
    current ??= work().finally(() => {
      current = null;
    });
  };
  run();
  const timer = setInterval(run, CATCH_UP_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await current;
    },
  };
};

/**
 * Runs a thread that is with the workers, and shows how it stands then. Throws what `runThread` throws; a thread that is
 * queued for later is done for now, because the store brings it back.
 */
const runJob = async (
  { engine, reporter, monthly }: JobParts,
  { thread, drain }: { thread: ThreadId; drain: AbortSignal },
): Promise<void> => {
  const asked = await engine.store.thread(thread);
  if (asked === undefined || !isWithWorkers(asked)) {
    engine.log.debug({ thread, status: asked?.status ?? "gone" }, "a stray job is left alone");
    // A job comes again when what it spent could not be written down.
    if (asked !== undefined && !isRunnable(asked.status)) await settleBudget({ engine, monthly }, asked);
    return;
  }
  const refused = await reserveBudget({ engine, monthly }, asked);
  if (refused === null) await runAndSettle({ engine, monthly }, { thread, drain });
  else await pauseFor(engine, { thread, reason: refused });
  // What cannot be shown now is shown by the next catch-up.
  await reporter.show(thread).catch((error: unknown) => {
    engine.log.warn({ thread, error: messageOf(error) }, "cannot show the thread's state");
  });
};

type JobParts = Pick<WorkerParts, "engine" | "reporter" | "monthly">;

const runAndSettle = async (
  { engine, monthly }: Omit<JobParts, "reporter">,
  { thread, drain }: { thread: ThreadId; drain: AbortSignal },
): Promise<void> => {
  const record = await runThread(engine, thread, {
    signal: neverAborted(),
    drain,
    waitOutMs: WAIT_OUT_MS,
  });
  await settleBudget({ engine, monthly }, record);
  const { status, reason, dueAt } = record;
  if (status === "queued" && dueAt > 0)
    engine.log.warn({ thread, reason, retryInMs: dueAt - engine.now() }, "thread is tried again later");
  else engine.log.info({ thread, status, reason }, "thread stopped");
};

const pauseFor = async (
  engine: Engine,
  { thread, reason }: { thread: ThreadId; reason: string },
): Promise<void> => {
  try {
    await pauseThread(engine, thread, reason);
    engine.log.info({ thread, status: "paused", reason }, "thread may not run");
  } catch (error) {
    // A person has stopped it meanwhile.
    if (!(error instanceof AppError && error.code === "thread-not-ready")) throw error;
  }
};

/** A queued thread is only once the store has admitted it; a running one is one whose worker may have died. */
const isWithWorkers = ({ status, admitted }: ThreadRecord): boolean =>
  status === "running" || (status === "queued" && admitted);

/** Draining waits for the turn under way; only the process's end stops it sooner. */
const neverAborted = (): AbortSignal => new AbortController().signal;
