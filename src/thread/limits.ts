import { exactMoney } from "../base/exact-money.ts";
import type { RoleLimits, Usage } from "../store/payload.ts";
import type { History } from "../store/store.ts";

/** A limit that has been reached, as a sentence for people, and whose it is: the thread's budget, or the role's own limits. */
export type Limit = { of: "thread" | "role"; reason: string };

export type Spent = {
  thread: Usage;
  step: Usage;
  stepMs: number;
  /** What the next call may cost, by those before it; null when nothing says. */
  call: Usage | null;
};

/** A conversation grows from call to call. */
const GROWTH = 1.2;

/**
 * Which limit has been reached; null while there is something left. A thread's budget is not overdrawn: it is reached when the
 * next call, and the last word after it, might not fit any more.
 */
export const reachedLimit = (
  { thread, step, stepMs, call }: Spent,
  limits: { thread: History["start"]["limits"]; role: RoleLimits },
): Limit | null => {
  const { budgetUsd, budgetTokens } = limits.thread;
  const ofThread =
    (budgetUsd === null ? null : atBudget(costOf, { thread, call }, budgetUsd, exactMoney)) ??
    (budgetTokens === null ? null : atBudget(tokensOf, { thread, call }, budgetTokens, tokens));
  if (ofThread !== null) return { of: "thread", reason: `The thread's budget of ${ofThread}` };
  const { budgetUsd: usd, timeoutMinutes: minutes } = limits.role;
  const ofRole = usd === undefined ? null : atBudget(costOf, { thread: step, call }, usd, exactMoney);
  if (ofRole !== null) return { of: "role", reason: `The role's budget of ${ofRole}` };
  if (minutes !== undefined && stepMs >= minutes * 60_000)
    return { of: "role", reason: `The role's ${minutes} minutes are over.` };
  return null;
};

/** US dollars that the next call may cost, by the tightest of the limits; null: there is none. */
export const roomUsd = (
  { thread, step }: Pick<Spent, "thread" | "step">,
  limits: { thread: History["start"]["limits"]; role: RoleLimits },
): number | null => {
  const { budgetUsd, turnUsd } = limits.thread;
  const rooms = [
    ...(budgetUsd === null ? [] : [budgetUsd - costOf(thread)]),
    ...(limits.role.budgetUsd === undefined ? [] : [limits.role.budgetUsd - costOf(step)]),
    ...(turnUsd === undefined ? [] : [turnUsd]),
  ];
  return rooms.length === 0 ? null : Math.max(0, Math.min(...rooms));
};

/** The most of each that either may take. */
export const mostOf = (a: Usage, b: Usage): Usage => ({
  inputTokens: Math.max(a.inputTokens, b.inputTokens),
  cachedInputTokens: Math.max(a.cachedInputTokens, b.cachedInputTokens),
  outputTokens: Math.max(a.outputTokens, b.outputTokens),
  costUsd: a.costUsd === null && b.costUsd === null ? null : Math.max(a.costUsd ?? 0, b.costUsd ?? 0),
});

const atBudget = (
  measure: (usage: Usage) => number,
  { thread, call }: Pick<Spent, "thread" | "call">,
  budget: number,
  text: (amount: number) => string,
): string | null => {
  const spent = measure(thread);
  if (spent >= budget) return `${text(budget)} is spent (${text(spent)}).`;
  const next = call === null ? 0 : measure(call) * GROWTH;
  return spent + 2 * next > budget
    ? `${text(budget)} is all but spent (${text(spent)}): more would not fit.`
    : null;
};

const costOf = ({ costUsd }: Usage): number => costUsd ?? 0;
const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

const tokens = (count: number): string => `${count} tokens`;
