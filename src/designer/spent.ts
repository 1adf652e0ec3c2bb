import { AppError } from "../base/errors.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { Conversation } from "./agent-state.ts";
import type { DesignerLimits } from "./designer.ts";

/** What a message has taken, as its metadata keeps it. */
export const spentMetadata = ({ inputTokens, cachedInputTokens, outputTokens, costUsd }: Usage) => ({
  input_tokens: String(inputTokens),
  cached_input_tokens: String(cachedInputTokens),
  output_tokens: String(outputTokens),
  ...(costUsd === null ? {} : { cost_usd: String(costUsd) }),
});

/** What a conversation has taken, by its messages' metadata. */
export const spentIn = (conversations: readonly Conversation[]): Usage =>
  conversations.reduce((sum, { metadata }) => {
    if (metadata.input_tokens === undefined) return sum;
    const usage = {
      inputTokens: amount(metadata.input_tokens),
      cachedInputTokens: amount(metadata.cached_input_tokens),
      outputTokens: amount(metadata.output_tokens),
      costUsd: metadata.cost_usd === undefined ? null : amount(metadata.cost_usd),
    };
    return addUsage(sum, usage);
  }, zeroUsage());

const amount = (text: string | undefined): number => {
  const number = Number(text);
  return Number.isFinite(number) && number > 0 ? number : 0;
};

/** Throws `budget-reached` (fix-config) when the conversation may not take `nextTokens` more. */
export const requireBudget = (
  { inputTokens, outputTokens, costUsd }: Usage,
  { limits: { tokens, usd }, nextTokens }: { limits: DesignerLimits; nextTokens: number },
): void => {
  const used = inputTokens + outputTokens;
  if (tokens !== null && used + nextTokens > tokens)
    throw reached(`${used} of ${tokens} tokens are used, and the next answer needs about ${nextTokens}`);
  if (usd !== null && (costUsd ?? 0) >= usd)
    throw reached(`$${(costUsd ?? 0).toFixed(2)} of $${usd.toFixed(2)} are spent`);
};

const reached = (what: string): AppError =>
  new AppError(`The budget of this conversation is used up: ${what}.`, {
    code: "budget-reached",
    remedy: "fix-config",
    hint: "Begin a new session, or raise designer.budgetTokens and designer.budgetUsd in config.yaml.",
  });
