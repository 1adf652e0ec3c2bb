import type { Model, ModelRequest } from "../llm/model.ts";
import { costOf } from "../llm/price.ts";
import type { Usage } from "../store/payload.ts";
import type { NewTurn } from "./adapter.ts";
import { contextSize } from "./compaction.ts";

/** A short reply; how long one may be is bounded by what is left: see `affordable`. */
const SHORT_REPLY = 256;
/** What is shorter holds no call of a tool: it would be paid for in vain. */
const SHORTEST_REPLY = 64;

/**
 * What the next request takes, at least: all that it sends, and a short reply. What the provider has read before and keeps, as its last
 * reply says, costs what cached tokens do.
 */
export const nextCall = (
  turns: readonly NewTurn[],
  request: () => Pick<ModelRequest, "messages" | "tools">,
  { price, maxOutputTokens }: Pick<Model, "price" | "maxOutputTokens">,
): Usage => {
  const inputTokens = contextSize(turns, request);
  const last = turns.findLast((turn) => turn.kind === "reply" || turn.kind === "compaction");
  const isKept = last?.kind === "reply" && last.usage.cachedInputTokens > 0;
  const tokens = {
    inputTokens,
    cachedInputTokens: isKept ? Math.min(last.usage.inputTokens, inputTokens) : 0,
    outputTokens: Math.min(SHORT_REPLY, maxOutputTokens),
  };
  return { ...tokens, costUsd: costOf(tokens, price) };
};

/**
 * Tokens that a reply to the request may have, so that it costs no more than `roomUsd` altogether; null: as many as the model gives.
 * 0 when even the shortest does not fit.
 */
export const affordable = (
  { inputTokens, cachedInputTokens }: Usage,
  roomUsd: number | null,
  { price, maxOutputTokens }: Pick<Model, "price" | "maxOutputTokens">,
): number | null => {
  const read = costOf({ inputTokens, cachedInputTokens, outputTokens: 0 }, price);
  if (roomUsd === null || price === undefined || read === null) return null;
  if (read > roomUsd) return 0;
  const most =
    price.output === 0 ? maxOutputTokens : Math.floor(((roomUsd - read) * 1_000_000) / price.output);
  if (most >= maxOutputTokens) return null;
  return most < SHORTEST_REPLY ? 0 : most;
};
