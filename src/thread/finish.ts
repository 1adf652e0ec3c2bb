import { endPrograms } from "../agents/command/thread-programs.ts";
import { messageOf } from "../base/errors.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { noteChildren } from "./note-children.ts";
import { capturedIn } from "./open-workspace.ts";
import { rootOf } from "./tree.ts";

/** Where a thread's chain stands. */
export type ChainEnd = {
  /** The last step, looking through a `thread-end`. */
  step: Hash | null;
  /** What that `thread-end` kept. */
  kept: { turns: Hash | null; workspace: Hash | null };
  /** That `thread-end`; null: the thread has not ended since its last step. */
  end: Hash | null;
  /** The files that the thread began with. */
  begun: Hash | null;
  /** The thread that has the workspace. */
  root: ThreadId;
};

const storedEnd = async (
  { store }: Pick<Engine, "store">,
  { id, start: begin, head }: ThreadRecord,
): Promise<ChainEnd> => {
  const [node, start] = await Promise.all([store.get(head), store.load("thread-start", begin)]);
  const { workspace: begun } = start;
  const root = await rootOf(store, id, start);
  const none = { turns: null, workspace: null };
  if (node?.type === "thread-end")
    return { step: node.payload.prev, kept: node.payload, end: node.hash, begun, root };
  return { step: node?.type === "step" ? node.hash : null, kept: none, end: null, begun, root };
};

/**
 * Ends a thread: the files as they are and the turns of an unfinished step are kept in the `thread-end` node. Who knows
 * where the chain stands says so. Answers undefined when somebody else moved the thread meanwhile.
 */
export const endThread = async (
  engine: Engine,
  record: ThreadRecord,
  end: { status: "completed" | "failed" | "cancelled"; reason: string | null; chain?: ChainEnd },
): Promise<ThreadRecord | undefined> => {
  const chain = end.chain ?? (await storedEnd(engine, record));
  // Whoever ran it may have been killed, and its program work on in the directory that is given back here.
  if (end.status === "cancelled") await endPrograms(record.id);
  const kept = await unfinished(engine, record, chain);
  const node = makeNode("thread-end", {
    start: record.start,
    prev: chain.step,
    status: end.status,
    reason: end.reason,
    ...(chain.end === null ? {} : { after: chain.end }),
    turns: kept.turns,
    workspace: kept.workspace,
    at: engine.now(),
  });
  const note = end.status === "completed" ? { note: null } : {};
  const ended = await engine.store.advance(
    record.id,
    { head: record.head, tip: record.tip, status: record.status, holder: engine.holder },
    { head: node.hash, tip: null, begun: [], status: end.status, reason: end.reason, ...note },
    [...kept.nodes, node],
  );
  if (ended !== undefined) {
    engine.emit({
      thread: record.id,
      at: engine.now(),
      kind: "status",
      status: end.status,
      reason: end.reason,
    });
    // What a thread has from another one, that one gives back.
    if (chain.root === record.id && (end.status === "completed" || kept.stored))
      await giveBack(engine, record.id);
  }
  return ended;
};

type Unfinished = {
  turns: Hash | null;
  workspace: Hash | null;
  /** Nothing would be lost with the workspace. */
  stored: boolean;
  /** Turns that are not stored yet. */
  nodes: Node[];
};

/** The turns and files of the step that did not finish. */
const unfinished = async (
  engine: Engine,
  record: ThreadRecord,
  { kept: before, begun, root }: ChainEnd,
): Promise<Unfinished> => {
  const { tip } = record;
  // Nothing was done since the last step, or since the thread ended before.
  if (tip === null) return { ...before, stored: begun !== null, nodes: [] };
  const captured = begun === null ? null : await capture(engine, root);
  const kept = captured ?? capturedIn(await engine.store.turns(tip)) ?? before.workspace;
  return { ...(await noteChildren(engine, record, tip)), workspace: kept, stored: captured !== null };
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
