import { messageOf } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";

/** The last step before `record.head`, looking through a `thread-end`. */
const lastStepOf = async (engine: Pick<Engine, "store">, record: ThreadRecord): Promise<Hash | null> => {
  const node = await engine.store.get(record.head);
  if (node?.type === "thread-end") return node.payload.prev;
  return node?.type === "step" ? node.hash : null;
};

/**
 * Ends a thread: the files as they are and the turns of an unfinished step are kept in the `thread-end` node.
 * Answers undefined when somebody else moved the thread meanwhile.
 */
export const endThread = async (
  engine: Engine,
  record: ThreadRecord,
  end: { status: "completed" | "failed" | "cancelled"; reason: string | null },
): Promise<ThreadRecord | undefined> => {
  const workspace = record.tip === null ? null : await captured(engine, record);
  const node = makeNode("thread-end", {
    start: record.start,
    prev: await lastStepOf(engine, record),
    status: end.status,
    reason: end.reason,
    turns: record.tip,
    workspace,
    at: engine.now(),
  });
  const ended = await engine.store.advance(
    record.id,
    { head: record.head, tip: record.tip, status: record.status, holder: engine.holder },
    { head: node.hash, tip: null, begun: [], status: end.status, reason: end.reason, note: null },
    [node],
  );
  if (ended !== undefined) {
    engine.emit({
      thread: record.id,
      at: engine.now(),
      kind: "status",
      status: end.status,
      reason: end.reason,
    });
    if (end.status === "completed" || workspace !== null) await engine.workspaces.close(record.id);
  }
  return ended;
};

const captured = async (engine: Engine, record: ThreadRecord): Promise<Hash | null> => {
  const { workspace } = await engine.store.load("thread-start", record.start);
  if (workspace === null) return null;
  try {
    return await engine.workspaces.capture(record.id);
  } catch (error) {
    engine.log.warn(
      { thread: record.id, error: messageOf(error) },
      "cannot keep the unfinished step's files",
    );
    return null;
  }
};
