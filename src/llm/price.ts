import type { Usage } from "../store/payload.ts";
import type { Price } from "./model-config.ts";

const MILLION = 1_000_000;

/**
 * US dollars for a reply's tokens; null without a price. `cachedInputTokens` are part of `inputTokens` and cost
 * `cachedInput`, or the full input price where none is configured.
 */
export const costOf = (tokens: Omit<Usage, "costUsd">, price: Price | undefined): number | null => {
  if (price === undefined) return null;
  const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens);
  const fresh = tokens.inputTokens - cached;
  return (
    (fresh * price.input + cached * (price.cachedInput ?? price.input) + tokens.outputTokens * price.output) /
    MILLION
  );
};
