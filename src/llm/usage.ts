import type { Usage } from "../store/payload.ts";

export const zeroUsage = (): Usage => ({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 });

/**
 * The sum of two usages. Where only one of them has a known price, the sum's `costUsd` is that one: a lower
 * bound, so that a budget still holds. It is null when nothing that was used has a price.
 */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: addCosts(a, b),
});

/** What is left of `a` without `b`, which is a part of it; never below zero. */
export const subtractUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: Math.max(0, a.inputTokens - b.inputTokens),
  cachedInputTokens: Math.max(0, a.cachedInputTokens - b.cachedInputTokens),
  outputTokens: Math.max(0, a.outputTokens - b.outputTokens),
  costUsd: a.costUsd === null ? null : Math.max(0, a.costUsd - (b.costUsd ?? 0)),
});

const addCosts = (a: Usage, b: Usage): number | null => {
  if (isNothing(a)) return b.costUsd;
  if (isNothing(b)) return a.costUsd;
  if (a.costUsd === null) return b.costUsd;
  return b.costUsd === null ? a.costUsd : a.costUsd + b.costUsd;
};

const isNothing = ({ inputTokens, outputTokens, costUsd }: Usage): boolean =>
  inputTokens === 0 && outputTokens === 0 && !costUsd;
