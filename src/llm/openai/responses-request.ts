import type { OpenAI } from "openai";
import { isObject } from "../../base/json.ts";
import type { ChatMessage, ModelRequest } from "../model.ts";
import type { BodyOptions } from "./chat-request.ts";

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

/** The body of a streamed response that the provider does not store: every item of the history goes along. */
export const responsesBody = (
  { messages, tools, toolChoice }: ModelRequest,
  { model, maxOutputTokens, dialect }: BodyOptions,
): Body => ({
  model,
  input: messages.flatMap((message) => inputItems(message, dialect.encryptedReasoning)),
  ...(tools.length === 0
    ? {}
    : {
        tools: tools.map(({ function: tool }) => ({ type: "function", strict: false, ...tool })),
        tool_choice:
          typeof toolChoice === "string"
            ? toolChoice
            : dialect.forcedTool
              ? { type: "function", name: toolChoice.name }
              : "auto",
      }),
  ...(dialect.tokensField === null ? {} : { max_output_tokens: maxOutputTokens }),
  ...(dialect.encryptedReasoning ? { include: ["reasoning.encrypted_content"] } : {}),
  store: false,
  stream: true,
});

const inputItems = (message: ChatMessage, reasoningBack: boolean): Item[] => {
  switch (message.role) {
    case "system":
    case "user":
      return [{ type: "message", role: message.role, content: message.content }];
    case "tool":
      return [{ type: "function_call_output", call_id: message.callId, output: message.content }];
    case "assistant":
      return (reasoningBack ? recordedItems(message) : null) ?? plainItems(message);
  }
};

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/**
 * The model's own items, in their order: the provider checks that a reasoning item stands before what it led
 * to. The texts of calls are kept once, in `toolCalls`; a call that was dropped from there is dropped here.
 */
const recordedItems = ({ reasoning, toolCalls }: Assistant): Item[] | null => {
  if (!Array.isArray(reasoning)) return null;
  const byId = new Map(toolCalls.map((call) => [call.id, call]));
  const items: readonly unknown[] = reasoning;
  return items.filter(isObject).flatMap((item) => {
    if (item.type !== "function_call") return [item as unknown as Item];
    const call = byId.get(String(item.call_id));
    return call === undefined ? [] : [{ ...item, arguments: call.arguments } as unknown as Item];
  });
};

const plainItems = ({ content, toolCalls }: Assistant): Item[] => [
  ...(content === "" ? [] : [{ role: "assistant" as const, content }]),
  ...toolCalls.map((call) => ({
    type: "function_call" as const,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  })),
];
