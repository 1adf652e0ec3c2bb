import type { Tokens } from "./draft.ts";

/** No model takes or gives as much in one call. */
const MOST = 100_000_000;

/**
 * What a server says that a call has used, or null where that cannot be so: less than nothing, nothing at all, no number, or more than
 * any model takes. Servers that count the cached tokens beside the others have them added: they are read as well.
 */
export const believedTokens = ({ inputTokens, cachedInputTokens, outputTokens }: Tokens): Tokens | null => {
  const counts = [inputTokens, cachedInputTokens, outputTokens];
  if (!counts.every((count) => count >= 0 && count <= MOST)) return null;
  if (inputTokens + cachedInputTokens === 0) return null;
  return {
    inputTokens: Math.round(cachedInputTokens > inputTokens ? inputTokens + cachedInputTokens : inputTokens),
    cachedInputTokens: Math.round(cachedInputTokens),
    outputTokens: Math.round(outputTokens),
  };
};
