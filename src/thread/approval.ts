import { inputError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { StepRecord, Store, ThreadRecord } from "../store/store.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import { requireOwn, resumeThread } from "./commands.ts";
import type { Engine } from "./engine.ts";
import { needsApproval, suspension, waitsByEdge } from "./moderator.ts";
import { waitingChild } from "./waiting-child.ts";

/** An answer that waits for a person's approval, and the thread that has given it. */
export type ToApprove = { thread: ThreadId; step: StepRecord };

type Reader = Pick<Store, "history" | "load" | "loadAll" | "thread" | "link">;

/**
 * The answer with which a thread waits for a person's approval, its own or that of a thread which plays a role in it, at any depth;
 * null when none does: a role that asks a question waits for its answer.
 * An approval after which the thread did not go on, because a process died in between, may be given again.
 */
export const approvalIn = async (store: Reader, record: ThreadRecord): Promise<ToApprove | null> => {
  if (record.status !== "suspended") return null;
  const { start, steps } = await store.history(record.head);
  const last = steps.at(-1);
  if (last === undefined) return null;
  if (suspension(last.output) !== null) {
    const child = await waitingChild(store, { parent: record.id, last });
    return child === null ? null : approvalIn(store, child);
  }
  const workflow = await loadStoredWorkflow(store, start.workflow);
  return needsApproval(workflow, { steps: [last.step], approved: false })
    ? { thread: record.id, step: last }
    : null;
};

/** Whether a role, or the edge that was taken behind it, has asked a person, and the thread waits for the answer. */
export const isAsking = async (
  store: Pick<Store, "history" | "load" | "loadAll">,
  record: ThreadRecord,
): Promise<boolean> => {
  if (record.status !== "suspended") return false;
  const { start, steps } = await store.history(record.head);
  const last = steps.at(-1);
  if (last === undefined) return false;
  if (suspension(last.output) !== null) return true;
  return waitsByEdge(await loadStoredWorkflow(store, start.workflow), last.step.role);
};

/**
 * Lets a thread go on with what exactly this step answered, in it or in one that plays a role in it; the note is told to the role
 * that comes next there. Safe to repeat until the thread goes on. Throws as `requireOwn`.
 */
export const approveStep = async (
  engine: Engine,
  { id, start }: Pick<ThreadRecord, "id" | "start">,
  { approved, note }: { approved: ToApprove; note: string | null },
): Promise<ThreadRecord> => {
  await requireOwn(engine.store, { id, start });
  await engine.store.setLink(approved.thread, "approved", approved.step.hash);
  return resumeThread(engine, id, note);
};

/** Approves what the thread waits with. Throws `thread-unknown` and `approval-unneeded` (fix-input). */
export const approveThread = async (
  engine: Engine,
  id: ThreadId,
  note: string | null,
): Promise<ThreadRecord> => {
  const record = await engine.store.thread(id);
  if (record === undefined)
    throw inputError("thread-unknown", `There is no thread ${id}.`, "See `uwf thread list`.");
  const waiting = await approvalIn(engine.store, record);
  if (waiting === null)
    throw inputError(
      "approval-unneeded",
      `Thread ${id} is ${record.status}: nothing waits for approval.`,
      `See \`uwf thread show ${id}\`.`,
    );
  return approveStep(engine, record, { approved: waiting, note });
};

/** Throws `approval-needed` (fix-input) when only an approval, or a note, would let the thread go on. */
export const requireNoApproval = async (store: Store, id: ThreadId): Promise<void> => {
  const record = await store.thread(id);
  if (record === undefined || (await approvalIn(store, record)) === null) return;
  throw inputError(
    "approval-needed",
    `Thread ${id} waits for the approval of what was answered.`,
    `\`uwf thread resume --approve ${id}\` goes on with it; with a note instead, it is answered anew.`,
  );
};
