import { withDiskFull } from "../base/disk-full.ts";
import { AppError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { ThreadRecord } from "../store/store.ts";
import { cancelChildren } from "./commands.ts";
import type { RunOptions } from "./control.ts";
import type { Engine } from "./engine.ts";
import { endThread } from "./finish.ts";
import { Interruption } from "./interruption.ts";
import { lastProgress } from "./last-progress.ts";
import { freshRecord, requireLease, setStatus, threadMoved } from "./set-status.ts";
import { stillChildren } from "./still-children.ts";

const SHORTEST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5 * 60_000;
const LONGEST_ASKED_MS = 60 * 60_000;

export type Stop = {
  engine: Engine;
  id: ThreadId;
  /** The role at work, if one was. */
  role: string | null;
  waitOutMs: RunOptions["waitOutMs"];
};

/**
 * Leaves the thread in a state that says what happened; partial work is kept in every case. A passing failure that is
 * waited out queues it for later. Throws `thread-moved`.
 */
export const stopThread = async (stop: Stop, raised: unknown): Promise<ThreadRecord> => {
  const { engine, id } = stop;
  const cause = withDiskFull(raised);
  // Nothing may be written any more, and a store that does not answer is not waited for.
  if (cause instanceof Interruption && cause.kind === "lost") throw threadMoved(cause.message);
  const stopped = await settle(stop, { record: await freshRecord(engine, id), cause });
  if (stopped !== undefined) return stopped;
  await requireLease(engine, id);
  return stopThread(stop, cause);
};

/** Undefined when somebody changed the thread meanwhile. */
const settle = async (
  stop: Stop,
  { record, cause }: { record: ThreadRecord; cause: unknown },
): Promise<ThreadRecord | undefined> => {
  const { engine } = stop;
  if (record.status === "cancelled") {
    await cancelChildren(engine, record);
    return endThread(engine, record, { status: "cancelled", reason: record.reason });
  }
  if (cause instanceof Interruption && cause.kind === "moved") throw threadMoved(cause.message);
  if (record.status !== "running") return record;
  if (cause instanceof Interruption)
    return cause.kind === "limit"
      ? setStatus(engine, record, { status: "paused", reason: cause.message })
      : setStatus(engine, record, { status: "queued", reason: null });
  if (cause instanceof AppError && (cause.code === "role-budget-exceeded" || cause.code === "child-paused"))
    return setStatus(engine, record, { status: "paused", reason: cause.message });
  return fail(stop, { record, cause });
};

const fail = async (
  { engine, role, waitOutMs }: Stop,
  { record, cause }: { record: ThreadRecord; cause: unknown },
): Promise<ThreadRecord | undefined> => {
  const reason = reasonOf(cause, role);
  if (!(cause instanceof AppError))
    engine.log.error({ thread: record.id, err: cause }, "a step failed unexpectedly");
  if (waitOutMs === undefined || !isPassing(cause)) return endFailed(engine, record, reason);
  // A child gives up by itself.
  const isChilds = cause instanceof AppError && cause.code === "child-waits";
  const waited = isChilds ? 0 : engine.now() - (await lastProgress(engine, record));
  if (waited >= waitOutMs) {
    const minutes = Math.floor(waited / 60_000);
    return endFailed(engine, record, `${reason} Given up after ${minutes} minutes without getting further.`);
  }
  return setStatus(engine, record, {
    status: "queued",
    reason: `${reason} It will be tried again.`,
    dueAt: engine.now() + delayAfter(cause, waited),
  });
};

const endFailed = async (
  engine: Engine,
  record: ThreadRecord,
  reason: string,
): Promise<ThreadRecord | undefined> => {
  await stillChildren(engine, record);
  return endThread(engine, record, { status: "failed", reason });
};

/** As long as the other side asked for, else as long again as it has been waited for. */
const delayAfter = (cause: unknown, waited: number): number => {
  const asked = cause instanceof AppError ? cause.retryAfterMs : undefined;
  const longest = asked === undefined ? LONGEST_DELAY_MS : LONGEST_ASKED_MS;
  return Math.min(Math.max(asked ?? waited, SHORTEST_DELAY_MS), longest);
};

/** Passes by itself. A conversation that is too long stays so, and each try costs the same again. */
const isPassing = (cause: unknown): boolean =>
  cause instanceof AppError && cause.remedy === "retry" && cause.code !== "model-context-overflow";

/** For people, who may be strangers: of an unexpected error only the log says more. */
const reasonOf = (cause: unknown, role: string | null): string => {
  const what =
    cause instanceof AppError
      ? [messageOf(cause), ...(cause.hint ? [cause.hint] : [])].map(sentence).join(" ")
      : "An unexpected error stopped it; the log has it.";
  const isNamed = role === null || what.startsWith(`The role "${role}"`);
  return `${isNamed ? "" : `${role}: `}${what}`;
};

const sentence = (text: string): string => (/[.!?…][)"”`]?$/.test(text) ? text : `${text}.`);
