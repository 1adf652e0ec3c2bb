import type { NewTurn } from "../agents/adapter.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import { type Limit, mostOf, reachedLimit, roomUsd, type Spent } from "./limits.ts";
import { turnsSpent } from "./spending.ts";

/** What a step may still spend, by the turns that it has so far. */
export type StepBudget = {
  reached(turns: readonly NewTurn[], next?: Usage): Limit | null;
  /** Why it may spend no more, not even `next`; null while it may. */
  spent(turns: readonly NewTurn[], next?: Usage): string | null;
  /** US dollars that the next call may cost; null: no limit. */
  room(turns: readonly NewTurn[]): number | null;
};

/** `before`: what the thread, and those in which it plays a role, have spent since a person let them go on. */
export const stepBudget = (
  { before, grantedAt }: { before: Usage; grantedAt: number },
  limits: Parameters<typeof reachedLimit>[1],
): StepBudget => {
  const spentBy = (turns: readonly NewTurn[], next?: Usage): Spent => {
    const { usage, ms, most } = turnsSpent(turns, grantedAt);
    // Tokens count as servers count them, which is not how they are estimated; money has to fit before it is spent.
    const call = next === undefined ? most : mostOf(most, { ...zeroUsage(), costUsd: next.costUsd });
    return { thread: addUsage(before, usage), step: usage, stepMs: ms, call };
  };
  const reached: StepBudget["reached"] = (turns, next) => reachedLimit(spentBy(turns, next), limits);
  return {
    reached,
    spent: (turns, next) => reached(turns, next)?.reason ?? null,
    room: (turns) => roomUsd(spentBy(turns), limits),
  };
};
