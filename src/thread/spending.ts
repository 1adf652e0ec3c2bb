import type { NewTurn } from "../agents/adapter.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { RoleLimits, Usage } from "../store/payload.ts";
import type { History, Store, ThreadRecord } from "../store/store.ts";

/** What a step's turns have used since `grantedAt`: tokens, money, and the time of model and tools. */
export const turnsSpent = (turns: readonly NewTurn[], grantedAt: number): { usage: Usage; ms: number } => {
  let usage = zeroUsage();
  let ms = 0;
  for (const turn of turns) {
    if (turn.at <= grantedAt) continue;
    if (turn.kind === "reply" || (turn.kind === "compaction" && turn.usage !== null))
      usage = addUsage(usage, turn.usage ?? zeroUsage());
    if (turn.kind === "reply" || turn.kind === "tool") ms += turn.ms;
  }
  return { usage, ms };
};

/** What the finished steps have used altogether. */
export const stepsSpent = (history: History): Usage =>
  history.steps.reduce((sum, { step }) => addUsage(sum, step.usage), zeroUsage());

/** What the finished steps have used since `grantedAt`; of a step that was under way then, only what came after. */
export const stepsSpentSince = async (
  store: Pick<Store, "turns">,
  history: History,
  grantedAt: number,
): Promise<Usage> => {
  let usage = zeroUsage();
  for (const { step } of history.steps) {
    if (step.finishedAt <= grantedAt) continue;
    const since =
      step.startedAt > grantedAt || step.turns === null
        ? step.usage
        : turnsSpent(await store.turns(step.turns), grantedAt).usage;
    usage = addUsage(usage, since);
  }
  return usage;
};

/** US dollars that the thread has spent since then, with the step that is under way, or that was when the thread ended. */
export const spentSince = async (
  store: Pick<Store, "turns">,
  { record, history }: { record: Pick<ThreadRecord, "tip">; history: History },
  since: number,
): Promise<number> => {
  const steps = await stepsSpentSince(store, history, since);
  const unfinished = record.tip ?? history.end?.turns ?? null;
  const turns = unfinished === null ? [] : await store.turns(unfinished);
  return addUsage(steps, turnsSpent(turns, since).usage).costUsd ?? 0;
};

/** Which limit has been reached, as a sentence for people; null while there is something left. */
export const reachedLimit = (
  spent: { thread: Usage; step: Usage; stepMs: number },
  limits: { thread: History["start"]["limits"]; role: RoleLimits },
): string | null => {
  const { thread, step, stepMs } = spent;
  const money = (usd: number) => `$${usd.toFixed(2)}`;
  const { budgetUsd, budgetTokens } = limits.thread;
  if (budgetUsd !== null && (thread.costUsd ?? 0) >= budgetUsd)
    return `The thread's budget of ${money(budgetUsd)} is spent (${money(thread.costUsd ?? 0)}).`;
  const tokens = thread.inputTokens + thread.outputTokens;
  if (budgetTokens !== null && tokens >= budgetTokens)
    return `The thread's budget of ${budgetTokens} tokens is spent (${tokens}).`;
  const role = limits.role.budgetUsd;
  if (role !== undefined && (step.costUsd ?? 0) >= role)
    return `The role's budget of ${money(role)} is spent (${money(step.costUsd ?? 0)}).`;
  const minutes = limits.role.timeoutMinutes;
  if (minutes !== undefined && stepMs >= minutes * 60_000) return `The role's ${minutes} minutes are over.`;
  return null;
};
