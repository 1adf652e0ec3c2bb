import type { NewTurn } from "../agents/adapter.ts";
import { inputError } from "../base/errors.ts";
import { subtractUsage } from "../llm/usage.ts";
import type { Store, ThreadRecord } from "../store/store.ts";
import { capturedIn } from "./open-workspace.ts";
import { openStepOf, type Session } from "./session.ts";
import { type Chain, chainOf, chainSpent, notedOf } from "./spent-below.ts";
import { isEnded } from "./state.ts";

/** What a thread notes of a child whenever it stops. */
export type ChildTurn = Extract<NewTurn, { kind: "child" }>;

export const childTurns = (turns: readonly NewTurn[]): ChildTurn[] =>
  turns.filter((turn): turn is ChildTurn => turn.kind === "child");

/** How the child stands, what it has used since it was noted last, and the files as it has left them. */
export const childTurn = (
  { engine, ...session }: Session,
  { record, workflow, since }: { record: ThreadRecord; workflow: string; since: number },
): Promise<ChildTurn> => {
  const chain = { history: session.history, turns: openStepOf(session).journal.turns };
  const at = engine.now();
  return noteOf(engine.store, { chain, record, workflow, at, ms: Math.max(0, at - since) });
};

type Noted = Pick<ChildTurn, "at" | "ms"> & {
  /** Of the thread that notes it. */
  chain: Chain;
  record: ThreadRecord;
  workflow: string;
};

/** The same for whoever knows where the thread's chain stands. */
export const noteOf = async (
  store: Pick<Store, "history" | "turns">,
  { chain, record, workflow, at, ms }: Noted,
): Promise<ChildTurn> => {
  const child = await chainOf(store, record);
  return {
    kind: "child",
    childThreadId: record.id,
    childWorkflow: workflow,
    childHash: record.head,
    // Nobody else runs it: what says so was cut off, and is queued again by whoever takes it up.
    status: record.status === "running" ? "queued" : record.status,
    reason: record.reason,
    usage: subtractUsage(chainSpent(child), await notedOf(store, chain, record.id)),
    workspace: filesOf(child),
    at,
    ms,
  };
};

const filesOf = ({ history: { end, steps, start }, turns }: Chain): ChildTurn["workspace"] =>
  capturedIn(turns) ?? end?.workspace ?? steps.at(-1)?.step.workspace ?? start.workspace;

/**
 * Queues a child that waits once more, with what a person has told its parent since, and answers how it stands: a child goes on
 * when its parent does, and its rounds and budget count from then. Throws `thread-missing` (fix-input) when it is gone.
 */
export const tellChild = async (
  store: Pick<Store, "advance" | "thread">,
  { id, parent }: { id: ThreadRecord["id"]; parent: ThreadRecord },
): Promise<ThreadRecord> => {
  const child = await store.thread(id);
  if (child === undefined)
    throw inputError("thread-missing", `Thread ${id}, which plays a role in ${parent.id}, is gone.`);
  const { status, head } = child;
  if (isEnded(status) || child.grantedAt >= parent.grantedAt) return child;
  const told = await store.advance(
    id,
    { status, head },
    {
      ...(status === "running" ? {} : { status: "queued" as const, reason: null }),
      grantedAt: parent.grantedAt,
      ...(parent.note === null ? {} : { note: parent.note }),
    },
  );
  return told ?? tellChild(store, { id, parent });
};
