import { AppError, inputError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { ThreadChange, ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { endThread } from "./finish.ts";
import { holdThread } from "./lease.ts";
import { lastSpentAt } from "./spending.ts";
import { isEnded, isRunnable, type ThreadCommand, transition } from "./state.ts";
import { childrenOf, rootOf } from "./tree.ts";

/** Lets a running thread stop after the turn that is under way. */
export const pauseThread = async (
  engine: Engine,
  id: ThreadId,
  reason = "Paused by a person.",
): Promise<ThreadRecord> => {
  await requireOwn(engine.store, await read(engine, id));
  return command(engine, id, { name: "pause", change: { reason } });
};

/**
 * Queues a thread again; rounds and budgets count from now. The note is told to the next role, or to the one that was
 * stopped in the middle; without one, an earlier note that no step has taken yet stays.
 */
export const resumeThread = async (
  engine: Engine,
  id: ThreadId,
  note: string | null,
): Promise<ThreadRecord> => {
  const record = await read(engine, id);
  await requireOwn(engine.store, record);
  return command(engine, id, {
    name: "resume",
    change: { reason: null, grantedAt: await grantTime(engine, record), ...(note === null ? {} : { note }) },
  });
};

/** Now; or later than all that was spent before, where this machine's clock is behind that of the one that spent it. */
export const grantTime = async (
  { store, now }: Pick<Engine, "store" | "now">,
  record: ThreadRecord,
): Promise<number> =>
  Math.max(now(), await lastSpentAt(store, { record, history: await store.history(record.head) }));

/** Throws `thread-is-child` (fix-input) for a thread that plays a role in another one: that one is run, and it with it. */
export const requireOwn = async (
  store: Pick<Engine["store"], "thread" | "load">,
  { id, start }: Pick<ThreadRecord, "id" | "start">,
): Promise<void> => {
  const root = await rootOf(store, id, await store.load("thread-start", start));
  if (root === id) return;
  throw inputError(
    "thread-is-child",
    `Thread ${id} plays a role in thread ${root}, and goes on when that one does.`,
    `Use ${root} instead.`,
  );
};

/** Ends a thread now. A worker that runs it kills the running command and keeps the partial work. */
export const cancelThread = async (
  engine: Engine,
  id: ThreadId,
  reason = "Cancelled by a person.",
): Promise<ThreadRecord> => {
  const record = await command(engine, id, { name: "cancel", change: { reason } });
  try {
    return await alone(engine, id, async (now, held) => {
      if (now.status !== "cancelled") return now;
      await cancelChildren(engine, now);
      return (await endThread(held, now, { status: "cancelled", reason: now.reason })) ?? now;
    });
  } catch (error) {
    // The worker that has the thread ends it itself.
    if (error instanceof AppError && error.code === "thread-busy") return record;
    throw error;
  }
};

/** Ends the threads that play roles in one that was cancelled, before its workspace is given back. */
export const cancelChildren = async (
  engine: Engine,
  { id, reason }: Pick<ThreadRecord, "id" | "reason">,
): Promise<void> => {
  for (const child of await childrenOf(engine.store, id)) {
    const record = await engine.store.thread(child);
    if (record !== undefined && !isEnded(record.status))
      await cancelThread(engine, child, reason ?? undefined);
  }
};

/**
 * Removes a thread, its workspace, and the threads that have played roles in it. Its nodes stay until they are collected. Throws
 * `thread-is-child` (fix-input) for one that has played a role itself, while that other thread is there.
 */
export const removeThread = async (engine: Engine, id: ThreadId): Promise<void> => {
  const record = await read(engine, id);
  const root = await rootOf(engine.store, id, await engine.store.load("thread-start", record.start));
  if (root !== id)
    throw inputError(
      "thread-is-child",
      `Thread ${id} has played a role in thread ${root}, which shows it.`,
      `Remove ${root}: this one goes with it.`,
    );
  await removeWithChildren(engine, id);
};

const removeWithChildren = async (engine: Engine, id: ThreadId): Promise<void> => {
  await alone(engine, id, async (record) => {
    if (isRunnable(record.status))
      throw inputError(
        "thread-not-ended",
        `Thread ${id} is ${record.status}.`,
        `Cancel it first: \`uwf thread cancel ${id}\`.`,
      );
    // One of a thread that failed may wait to go on with it.
    await cancelChildren(engine, { id, reason: null });
    for (const child of await childrenOf(engine.store, id)) await removeWithChildren(engine, child);
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
