import type { ThreadView } from "./thread-view.ts";

/** Whether more money is what a paused thread waits for: a budget is not overdrawn, so most end a little before they are spent. */
export const isBudgetSpent = ({ budget, reason }: Pick<ThreadView, "budget" | "reason">): boolean =>
  budget !== null &&
  (budget.spentUsd >= budget.limitUsd ||
    /The thread's budget of .* is (?:all but )?spent/.test(reason ?? ""));
