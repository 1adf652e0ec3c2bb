import { AppError, inputError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { type ThreadRecord, type ThreadStatus, threadLease } from "../store/store.ts";
import type { Engine } from "./engine.ts";

/**
 * Moves the status as the holder of the thread, due at once unless `dueAt` says when; undefined when somebody else changed
 * the thread meanwhile.
 */
export const setStatus = async (
  engine: Engine,
  record: Pick<ThreadRecord, "id" | "status"> & Partial<Pick<ThreadRecord, "head">>,
  { status, reason, dueAt }: { status: ThreadStatus; reason: string | null; dueAt?: number },
): Promise<ThreadRecord | undefined> => {
  const head = record.head === undefined ? {} : { head: record.head };
  const moved = await engine.store.advance(
    record.id,
    { ...head, status: record.status, holder: engine.holder },
    { status, reason, ...(dueAt === undefined ? {} : { dueAt }) },
  );
  if (moved !== undefined && record.status !== status)
    engine.emit({ thread: record.id, at: engine.now(), kind: "status", status, reason });
  return moved;
};

/** The record now: the status may have been changed by somebody else since it was read. */
export const freshRecord = async (engine: Engine, id: ThreadId): Promise<ThreadRecord> => {
  const now = await engine.store.thread(id);
  if (now === undefined) throw inputError("thread-unknown", `Thread ${id} was removed while it ran.`);
  return now;
};

/** After a write that found the thread changed: throws `thread-moved` (retry) unless it is still ours to write. */
export const requireLease = async (engine: Engine, id: ThreadId): Promise<void> => {
  if ((await engine.store.leaseHolder(threadLease(id))) !== engine.holder)
    throw threadMoved("Another process took the thread over.");
};

export const threadMoved = (message: string): AppError =>
  new AppError(message, { code: "thread-moved", remedy: "retry" });
