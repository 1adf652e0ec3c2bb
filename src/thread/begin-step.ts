import type { NewTurn, ThreadContext } from "../agents/adapter.ts";
import type { ModelCall } from "../agents/model-call.ts";
import { addUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { Role } from "../workflow/workflow.ts";
import { Interruption } from "./interruption.ts";
import { openJournal, type StoreJournal } from "./journal.ts";
import { type PastStep, withNote } from "./moderator.ts";
import type { Session } from "./session.ts";
import { reachedLimit, stepsSpentSince, turnsSpent } from "./spending.ts";
import { turnCapture } from "./turn-capture.ts";

/** Begins a step, or takes it up where it was left. Throws an Interruption when the thread has to pause first. */
export const beginStep = async (
  session: Session,
  step: { role: Role; task: string; steps: readonly PastStep[] },
): Promise<ThreadContext> => {
  const { engine, control, history, record } = session;
  const { role, task } = step;
  control.checkpoint();
  const before = await stepsSpentSince(engine.store, history, record.grantedAt);
  await pauseAtLimit(session, { ...step, usage: before });
  const spent = (turns: readonly NewTurn[]) => {
    const now = turnsSpent(turns, record.grantedAt);
    return reachedLimit(
      { thread: addUsage(before, now.usage), step: now.usage, stepMs: now.ms },
      { thread: history.start.limits, role: role.limits },
    );
  };
  const journal = await openJournal(engine, record, { control, spent, capture: turnCapture(session) });
  const first = journal.turns[0];
  session.current = { role, task, journal, startedAt: first?.at ?? engine.now() };
  engine.emit({
    thread: record.id,
    at: engine.now(),
    kind: "step-started",
    role: role.name,
    index: history.steps.length,
    task,
    head: record.head,
    startedAt: session.current.startedAt,
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

const pauseAtLimit = async (
  session: Session,
  { usage, ...step }: { role: Role; steps: readonly PastStep[]; usage: Usage },
): Promise<void> => {
  const { history, record } = session;
  const { limits } = history.start;
  const rounds = history.steps.filter(({ step }) => step.finishedAt > record.grantedAt).length;
  const reason =
    rounds >= limits.pauseAfterRounds
      ? `Paused after ${rounds === 1 ? "1 step" : `${rounds} steps`} for a person to judge.`
      : reachedLimit(
          { thread: usage, step: { ...usage, costUsd: 0 }, stepMs: 0 },
          { thread: limits, role: {} },
        );
  if (reason === null || record.tip !== null) return;
  throw new Interruption(
    "limit",
    await withSummary(session, { reason, role: step.role.name, steps: step.steps }),
  );
};

/** The wrap-up turn between two steps: what is done and what is not, in the model's words. */
const withSummary = async (
  { engine, history, control, record }: Session,
  { reason, role, steps }: { reason: string; role: string; steps: readonly PastStep[] },
): Promise<string> => {
  const agent = history.start.agents[role];
  if (agent === undefined) return reason;
  try {
    const request = {
      agent: await engine.store.load("agent", agent),
      input: history.start.input,
      steps,
      signal: control.signal,
      observe: (call: ModelCall) => engine.emit({ ...call, role, thread: record.id, at: engine.now() }),
    };
    const summary = (await engine.summarize(request)).replace(/\s+/g, " ").trim();
    return summary === "" ? reason : `${reason} ${summary.slice(0, 600)}`;
  } catch (error) {
    control.checkpoint();
    engine.log.warn({ thread: record.id, error: String(error) }, "the wrap-up turn failed");
    return reason;
  }
};
