import type { ModelRequest } from "./model.ts";

/** Every message costs its role and separators beside its text. */
const MESSAGE_OVERHEAD = 4;

/**
 * Tokens of a text, estimated without a tokenizer: four characters of ASCII are about one token in English and
 * code, and every other character (Chinese, emoji, box drawing) about one of its own. Real tokenizers
 * stay within a third of it on prose and code; callers leave that much room.
 */
export const estimateTokens = (text: string): number => {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) wide++;
  return Math.ceil((text.length - wide) / 4) + wide;
};

/** Tokens of a whole request (messages, reasoning sent back, and tool definitions), by the same estimate. */
export const estimateRequest = ({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number => {
  let total = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  for (const message of messages) {
    total += MESSAGE_OVERHEAD + estimateTokens(message.content);
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls) {
      total += MESSAGE_OVERHEAD + estimateTokens(call.name) + estimateTokens(call.arguments);
    }
    if (message.reasoning !== null) total += estimateTokens(JSON.stringify(message.reasoning));
  }
  return total;
};
