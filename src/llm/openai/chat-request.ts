import type { OpenAI } from "openai";
import { isObject, type Json } from "../../base/json.ts";
import type { ChatMessage, ModelRequest } from "../model.ts";
import type { Dialect } from "./dialect.ts";

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

export type BodyOptions = {
  /** The provider's name of the model. */
  model: string;
  maxOutputTokens: number;
  dialect: Dialect;
};

/** The body of a streamed chat completion. The same history gives the same bytes, for the provider's prompt cache. */
export const chatBody = (
  { messages, tools, toolChoice }: ModelRequest,
  { model, maxOutputTokens, dialect }: BodyOptions,
): Body => ({
  model,
  messages: messages.map((message) => chatMessage(message, dialect)),
  ...(tools.length === 0 ? {} : { tools: [...tools], tool_choice: chatToolChoice(toolChoice, dialect) }),
  ...(dialect.tokensField === null ? {} : { [dialect.tokensField]: maxOutputTokens }),
  stream: true,
  ...(dialect.streamUsage ? { stream_options: { include_usage: true } } : {}),
});

const chatToolChoice = (
  choice: ModelRequest["toolChoice"],
  { forcedTool }: Dialect,
): OpenAI.ChatCompletionToolChoiceOption => {
  if (typeof choice === "string") return choice;
  return forcedTool ? { type: "function", function: { name: choice.name } } : "auto";
};

const chatMessage = (message: ChatMessage, dialect: Dialect): OpenAI.ChatCompletionMessageParam => {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant":
      return assistantMessage(message, dialect);
  }
};

const assistantMessage = (
  { content, toolCalls, reasoning }: Extract<ChatMessage, { role: "assistant" }>,
  { reasoningBack }: Dialect,
): OpenAI.ChatCompletionMessageParam => ({
  role: "assistant",
  // Some servers refuse an empty text beside tool calls, others a missing one without them.
  content: content === "" && toolCalls.length > 0 ? null : content,
  ...(reasoningBack ? reasoningFields(reasoning) : {}),
  ...(toolCalls.length === 0
    ? {}
    : {
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          type: "function" as const,
          function: { name: call.name, arguments: parsableArguments(call.arguments) },
        })),
      }),
});

/** Reasoning of chat completions is kept as the message fields it came in; that of the other API does not fit here. */
const reasoningFields = (reasoning: Json | null): Record<string, Json> =>
  isObject(reasoning) ? reasoning : {};

/**
 * Servers that put the history through a template parse the arguments of earlier calls, and fail on what a model
 * wrote wrongly. Such text goes back as a JSON string inside an object: the model still sees what it wrote.
 */
const parsableArguments = (text: string): string => {
  try {
    if (isObject(JSON.parse(text))) return text;
  } catch {
    // Falls through: what does not parse is wrapped like what is no object.
  }
  return text.trim() === "" ? "{}" : JSON.stringify({ invalid_arguments: text });
};
