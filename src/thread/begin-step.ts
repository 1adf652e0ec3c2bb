import type { ThreadContext } from "../agents/adapter.ts";
import { addUsage } from "../llm/usage.ts";
import type { Role } from "../workflow/workflow.ts";
import { openJournal, type StoreJournal } from "./journal.ts";
import { type PastStep, withNote } from "./moderator.ts";
import { pauseAtLimit } from "./pause-at-limit.ts";
import type { Session } from "./session.ts";
import { earliestTurn, stepsSpentSince } from "./spending.ts";
import { stepBudget } from "./step-budget.ts";
import { turnCapture } from "./turn-capture.ts";

/** Begins a step, or takes it up where it was left. Throws an Interruption when the thread has to pause first. */
export const beginStep = async (
  session: Session,
  step: { role: Role; task: string; steps: readonly PastStep[] },
): Promise<ThreadContext> => {
  const { engine, control, history, record } = session;
  const { role, task } = step;
  control.checkpoint();
  const here = await stepsSpentSince(engine.store, history, record.grantedAt);
  const before = addUsage(session.outside, here);
  await pauseAtLimit(session, { ...step, usage: before });
  const watch = stepBudget(
    { before, grantedAt: record.grantedAt },
    { thread: history.start.limits, role: role.limits },
  );
  const journal = await openJournal(engine, record, {
    control,
    budget: watch,
    earliest: await earliestTurn(engine.store, { record, history }),
    capture: turnCapture(session),
  });
  const first = journal.turns[0];
  const startedAt = first?.at ?? engine.now();
  session.current = {
    role,
    task,
    journal,
    startedAt,
    written: null,
    kept: [],
    stoppedAt: null,
    reached: () => session.current?.stoppedAt ?? watch.reached(journal.turns),
  };
  engine.emit({
    thread: record.id,
    at: engine.now(),
    kind: "step-started",
    role: role.name,
    index: history.steps.length,
    task,
    head: record.head,
    startedAt,
    continued: first !== undefined,
  });
  await tellNote(journal, { note: record.note, at: engine.now() });
  return {
    threadId: record.id,
    depth: history.start.depth,
    workflow: history.start.workflow,
    start: history.start,
    steps: step.steps,
    role: role.name,
    task,
    signal: control.signal,
    journal,
  };
};

/** A role that was stopped in the middle has its task already: what a person said since then comes as a turn, once. */
const tellNote = async (
  journal: StoreJournal,
  { note, at }: { note: string | null; at: number },
): Promise<void> => {
  if (note === null || note === "" || journal.turns.length === 0) return;
  if (journal.turns.some((turn) => turn.kind === "message" && turn.text.includes(note))) return;
  const text = withNote("A person has let this work go on: every tool may be called again.", note);
  await journal.append({ kind: "message", text: text.toWellFormed(), at });
};
