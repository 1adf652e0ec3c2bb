import type { ModelCall } from "../agents/model-call.ts";
import { AppError, messageOf } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Usage } from "../store/payload.ts";
import type { History, Store } from "../store/store.ts";
import type { Role } from "../workflow/workflow.ts";
import { Interruption } from "./interruption.ts";
import { reachedLimit } from "./limits.ts";
import type { PastStep } from "./moderator.ts";
import { lastCaptured } from "./open-workspace.ts";
import { roundsSince } from "./rounds.ts";
import type { Session } from "./session.ts";
import { showPartial } from "./show-partial.ts";
import { turnsSpent } from "./spending.ts";

const MAX_SUMMARY_CHARS = 600;

/** Throws an Interruption between two steps when the rounds are over, or the budget is: then what there is so far is shown. */
export const pauseAtLimit = async (
  session: Session,
  step: { role: Role; steps: readonly PastStep[]; usage: Usage },
): Promise<void> => {
  const { history, record } = session;
  const { limits } = history.start;
  if (record.tip !== null) return;
  const own = await roundsSince(session.engine.store, history, record.grantedAt);
  const rounds = own + session.roundsOutside;
  if (rounds >= limits.pauseAfterRounds) {
    const count = rounds === 1 ? "1 step" : `${rounds} steps`;
    const summary = await summaryOf(session, step);
    throw limitOf([`Paused after ${count} for a person to judge.`, summary]);
  }
  const limit = reachedLimit(
    { thread: step.usage, step: step.usage, stepMs: 0, call: await nextCost(session, step.usage) },
    { thread: limits, role: {} },
  );
  if (limit === null) return;
  const summary = await summaryOf(session, step);
  throw limitOf([
    limit.reason,
    ...(await showPartial(session, { workspace: lastCaptured(session), summary })),
    summary,
  ]);
};

/**
 * What a role that did not finish before the thread's budget, or whose workflow came to a limit, means for the thread: it pauses, and
 * what there is so far is shown.
 * Null for every other error.
 */
export const limitReached = async (
  session: Session | undefined,
  error: unknown,
): Promise<Interruption | null> => {
  if (session === undefined || !(error instanceof AppError)) return null;
  const isAtBudget = error.code === "role-budget-exceeded" && session.current?.reached()?.of === "thread";
  if (!isAtBudget && error.code !== "child-paused") return null;
  const { engine, record, control, current } = session;
  const summary = current?.journal.turns.findLast((turn) => turn.kind === "reply")?.content.trim() ?? "";
  try {
    const shown = await showPartial(session, { workspace: await captured(session), summary });
    return limitOf([messageOf(error), ...shown]);
  } catch (failure) {
    // A person's word, or a lost lease, stops it as it would have.
    if (control.interruption() !== null) return null;
    engine.log.warn({ thread: record.id, error: messageOf(failure) }, "cannot show what there is so far");
    return null;
  }
};

const captured = async (session: Session): Promise<Hash | null> => {
  if (session.history.start.workspace === null) return null;
  await session.workspace();
  return session.engine.workspaces.capture(session.root);
};

const limitOf = ([reason = "", ...more]: readonly string[]): Interruption =>
  new Interruption("limit", [reason, ...more.map(shortened)].filter((part) => part !== "").join(" "));

const shortened = (text: string): string =>
  text.replace(/\s+/g, " ").trim().slice(0, MAX_SUMMARY_CHARS).toWellFormed();

/**
 * A role begins a conversation of its own: what the first call of the last one has cost says best what its first call will. Not
 * looked for while less than half of the budget is spent.
 */
const nextCost = async ({ engine, history, record }: Session, spent: Usage): Promise<Usage | null> => {
  const { budgetUsd, budgetTokens } = history.start.limits;
  const isNear =
    (budgetUsd !== null && 2 * (spent.costUsd ?? 0) > budgetUsd) ||
    (budgetTokens !== null && 2 * (spent.inputTokens + spent.outputTokens) > budgetTokens);
  return isNear ? firstCost(engine.store, history, record.grantedAt) : null;
};

/** Of a role that a workflow played, what its last role's first call has cost. */
const firstCost = async (
  store: Pick<Store, "turns" | "history">,
  { steps }: Pick<History, "steps">,
  grantedAt: number,
): Promise<Usage | null> => {
  const last = steps.at(-1)?.step;
  if (last?.childHash !== undefined) return firstCost(store, await store.history(last.childHash), grantedAt);
  if (last === undefined || last.turns === null) return null;
  return turnsSpent(await store.turns(last.turns), grantedAt).first;
};

/** The wrap-up turn between two steps: what is done and what is not, in the model's words. Empty when there are none. */
const summaryOf = async (
  { engine, history, control, record }: Session,
  { role: { name: role }, steps }: { role: Role; steps: readonly PastStep[] },
): Promise<string> => {
  const agent = history.start.agents[role];
  if (agent === undefined) return "";
  try {
    const request = {
      agent: await engine.store.load("agent", agent),
      input: history.start.input,
      steps,
      signal: control.signal,
      observe: (call: ModelCall) => engine.emit({ ...call, role, thread: record.id, at: engine.now() }),
    };
    return (await engine.summarize(request)).trim();
  } catch (error) {
    control.checkpoint();
    engine.log.warn({ thread: record.id, error: String(error) }, "the wrap-up turn failed");
    return "";
  }
};
