import { AppError, inputError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { ThreadChange, ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { endThread } from "./finish.ts";
import { holdThread } from "./lease.ts";
import { isRunnable, type ThreadCommand, transition } from "./state.ts";

/** Lets a running thread stop after the turn that is under way. */
export const pauseThread = (
  engine: Engine,
  id: ThreadId,
  reason = "Paused by a person.",
): Promise<ThreadRecord> => command(engine, id, { name: "pause", change: { reason } });

/**
 * Queues a thread again; rounds and budgets count from now. The note is told to the next role, or to the one that was
 * stopped in the middle; without one, an earlier note that no step has taken yet stays.
 */
export const resumeThread = (engine: Engine, id: ThreadId, note: string | null): Promise<ThreadRecord> =>
  command(engine, id, {
    name: "resume",
    change: { reason: null, grantedAt: engine.now(), ...(note === null ? {} : { note }) },
  });

/** Ends a thread now. A worker that runs it kills the running command and keeps the partial work. */
export const cancelThread = async (
  engine: Engine,
  id: ThreadId,
  reason = "Cancelled by a person.",
): Promise<ThreadRecord> => {
  const record = await command(engine, id, { name: "cancel", change: { reason } });
  try {
    return await alone(engine, id, async (now, held) =>
      now.status === "cancelled"
        ? ((await endThread(held, now, { status: "cancelled", reason: now.reason })) ?? now)
        : now,
    );
  } catch (error) {
    // The worker that has the thread ends it itself.
    if (error instanceof AppError && error.code === "thread-busy") return record;
    throw error;
  }
};

/** Removes a thread and its workspace. Its nodes stay until they are collected. */
export const removeThread = async (engine: Engine, id: ThreadId): Promise<void> => {
  await alone(engine, id, async (record) => {
    if (isRunnable(record.status))
      throw inputError(
        "thread-not-ended",
        `Thread ${id} is ${record.status}.`,
        `Cancel it first: \`uwf thread cancel ${id}\`.`,
      );
    await engine.workspaces.close(id);
    await engine.store.removeThread(id);
  });
};

const read = async (engine: Engine, id: ThreadId): Promise<ThreadRecord> => {
  const record = await engine.store.thread(id);
  if (record === undefined)
    throw inputError("thread-unknown", `There is no thread ${id}.`, "See `uwf thread list`.");
  return record;
};

const command = async (
  engine: Engine,
  id: ThreadId,
  { name, change }: { name: ThreadCommand; change: ThreadChange },
): Promise<ThreadRecord> => {
  const record = await read(engine, id);
  const status = transition(record.status, name);
  if (status === null)
    throw inputError(
      "thread-not-ready",
      record.status === past[name]
        ? `Thread ${id} is ${record.status} already.`
        : `Thread ${id} is ${record.status}: it cannot be ${past[name]}.`,
      hints[record.status],
    );
  const moved = await engine.store.advance(id, { status: record.status }, { ...change, status });
  if (moved === undefined) return command(engine, id, { name, change });
  engine.emit({ thread: id, at: engine.now(), kind: "status", status, reason: moved.reason });
  return moved;
};

/** Does `work` while nobody else runs the thread. */
const alone = async <T>(
  engine: Engine,
  id: ThreadId,
  work: (record: ThreadRecord, held: Engine) => Promise<T>,
): Promise<T> => {
  await read(engine, id);
  const lease = await holdThread(engine.store, {
    thread: id,
    holder: engine.holder,
    onLost: (error) => engine.log.warn({ thread: id, error: messageOf(error) }, "lost the thread's lease"),
  });
  try {
    return await work(await read(engine, id), { ...engine, holder: lease.holder });
  } finally {
    await lease.release();
  }
};

const past: Readonly<Record<ThreadCommand, string>> = {
  claim: "claimed",
  "hand-back": "handed back",
  pause: "paused",
  suspend: "suspended",
  resume: "resumed",
  complete: "completed",
  fail: "failed",
  cancel: "cancelled",
};

const hints: Readonly<Record<ThreadRecord["status"], string>> = {
  queued: "It waits for a worker; run it with `uwf thread run`.",
  running: "Follow it with `uwf thread show`.",
  paused: "Let it go on with `uwf thread resume`.",
  suspended: "Answer it with `uwf thread resume <id> <note>`.",
  completed: "Start it again with `uwf thread resume`.",
  failed: "Try again with `uwf thread resume`.",
  cancelled: "Let it go on with `uwf thread resume`.",
};
