import { messageOf } from "../base/errors.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { capturedIn } from "./open-workspace.ts";

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
  const kept = await unfinished(engine, record);
  const node = makeNode("thread-end", {
    start: record.start,
    prev: await lastStepOf(engine, record),
    status: end.status,
    reason: end.reason,
    turns: kept.turns,
    workspace: kept.workspace,
    at: engine.now(),
  });
  const note = end.status === "completed" ? { note: null } : {};
  const ended = await engine.store.advance(
    record.id,
    { head: record.head, tip: record.tip, status: record.status, holder: engine.holder },
    { head: node.hash, tip: null, begun: [], status: end.status, reason: end.reason, ...note },
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
    if (end.status === "completed" || kept.stored) await giveBack(engine, record.id);
  }
  return ended;
};

/** The turns and files of the step that did not finish; `stored` when nothing would be lost with the workspace. */
const unfinished = async (
  engine: Engine,
  { id, start, head, tip }: ThreadRecord,
): Promise<{ turns: Hash | null; workspace: Hash | null; stored: boolean }> => {
  const node = await engine.store.get(head);
  const before = node?.type === "thread-end" ? node.payload : { turns: null, workspace: null };
  const { workspace: begun } = await engine.store.load("thread-start", start);
  // Nothing was done since the last step, or since the thread ended before.
  if (tip === null) return { turns: before.turns, workspace: before.workspace, stored: begun !== null };
  const captured = begun === null ? null : await capture(engine, id);
  const kept = captured ?? capturedIn(await engine.store.turns(tip)) ?? before.workspace;
  return { turns: tip, workspace: kept, stored: captured !== null };
};

const capture = async (engine: Engine, id: ThreadId): Promise<Hash | null> => {
  try {
    // A directory that another machine has gone on from says nothing any more.
    const lastAt = await engine.store.link(id, "workspace");
    if (lastAt !== undefined && lastAt !== (await engine.workspaces.place())) return null;
    return await engine.workspaces.capture(id);
  } catch (error) {
    engine.log.warn({ thread: id, error: messageOf(error) }, "cannot keep the unfinished step's files");
    return null;
  }
};

/** The thread has ended whether or not its directory can be given back. */
const giveBack = async (engine: Engine, id: ThreadId): Promise<void> => {
  try {
    await engine.workspaces.close(id);
  } catch (error) {
    engine.log.warn({ thread: id, error: messageOf(error) }, "cannot give the thread's workspace back");
  }
};
