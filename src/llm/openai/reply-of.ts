import type { Usage } from "../../store/payload.ts";
import type { ModelReply, ModelRequest } from "../model.ts";
import type { ModelConfig } from "../model-config.ts";
import { costOf } from "../price.ts";
import { estimateRequest, estimateTokens } from "../tokens.ts";
import type { Draft, Tokens } from "./draft.ts";
import { believedTokens } from "./reported-tokens.ts";

/** The reply with what it has used: as the server says, or estimated where it does not say, or says what cannot be. */
export const replyOf = (draft: Draft, request: ModelRequest, model: ModelConfig): ModelReply => {
  const { content, reasoning, toolCalls, finish } = draft;
  const said = draft.tokens === null ? null : believedTokens(draft.tokens);
  const written = (): number => estimateTokens(JSON.stringify([content, reasoning, toolCalls]));
  const isMute = content === "" && toolCalls.length === 0 && reasoning === null;
  const tokens = {
    inputTokens: said?.inputTokens ?? estimateRequest(request),
    cachedInputTokens: said?.cachedInputTokens ?? 0,
    outputTokens: said !== null && (said.outputTokens > 0 || isMute) ? said.outputTokens : written(),
  };
  const usage = priced(tokens, model);
  return { model: draft.model ?? model.name, content, reasoning, toolCalls, finish, usage };
};

/** What a request has used whose reply broke off after so many pieces: most servers send a token or a few in each. */
export const lostUsage = (pieces: number, request: ModelRequest, model: ModelConfig): Usage =>
  priced({ inputTokens: estimateRequest(request), cachedInputTokens: 0, outputTokens: pieces }, model);

const priced = (tokens: Tokens, { price }: ModelConfig): Usage => ({
  ...tokens,
  costUsd: costOf(tokens, price),
});

export const filteredDraft = (reason: string): Draft => ({
  model: null,
  content: `(The provider's content filter refused the request: ${reason})`,
  reasoning: null,
  toolCalls: [],
  finish: "filtered",
  tokens: null,
});
