import type { z } from "zod";
import type { ChatMessage } from "../../llm/model.ts";
import { estimateTokens } from "../../llm/tokens.ts";
import { addUsage } from "../../llm/usage.ts";
import { ask } from "../ask.ts";
import { historyWithin } from "../conversation.ts";
import type { ConversationResponse } from "../messages.ts";
import { type Background, standing } from "../prompts/standing.ts";
import { systemPrompt } from "../prompts/system.ts";
import { requireBudget, spentIn } from "../spent.ts";
import type { Turn } from "../turn.ts";

type Asked<T> = {
  task: string;
  background: Background;
  schema: z.ZodType<T>;
  check?: (value: T) => readonly string[];
  speaks: boolean;
};

/** Asks the model for a part of the work, with all that it has to know, and hands on what it writes as it comes. */
export async function* askIn<T>(
  turn: Turn,
  { task, background, ...question }: Asked<T>,
): AsyncGenerator<ConversationResponse, { value: T; text: string }, void> {
  const { parts, state, config, signal } = turn;
  const system = systemPrompt(await parts.catalogue(), config);
  const told = `${standing(state, background)}\n\n${task}`;
  const { contextTokens, maxOutputTokens } = parts.model;
  const taken = estimateTokens(system) + estimateTokens(told);
  // Estimates may be off by a third; questions come back corrected twice.
  const room = Math.floor((contextTokens - maxOutputTokens) * 0.6) - taken;
  const messages: ChatMessage[] = [
    { role: "system", content: system },
    ...historyWithin(state, room),
    { role: "user", content: told },
  ];
  const used = addUsage(spentIn(state.conversations), turn.unnoted);
  const nextTokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  requireBudget(used, { limits: parts.limits, nextTokens });

  const asking = ask({ ...question, messages }, { model: parts.model, signal, spent: turn.spent });
  for (;;) {
    const next = await asking.next();
    if (next.done) return next.value;
    if (config.enable_streaming) yield turn.piece(next.value);
  }
}
