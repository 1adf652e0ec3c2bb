import { isObject } from "../../src/base/json.ts";
import type { ScriptedReply } from "../../src/llm/scripted-model.ts";
import { estimateTokens } from "../../src/llm/tokens.ts";
import { completeReply, type ModelServerRequest, type ScriptMessage } from "./model-script.ts";

const FINISH = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  filtered: "content_filter",
} as const;

/** The messages of a chat-completions body. */
export const chatMessages = (body: Record<string, unknown>): ScriptMessage[] =>
  listOf(body.messages).map((message) => ({
    role: roleName(message.role),
    content: textOf(message.content),
    callId: typeof message.tool_call_id === "string" ? message.tool_call_id : null,
    toolCalls: listOf(message.tool_calls).map((call) => {
      const fn = isObject(call.function) ? call.function : {};
      return { id: String(call.id), name: String(fn.name), arguments: String(fn.arguments) };
    }),
  }));

export const chatTools = (body: Record<string, unknown>): string[] =>
  listOf(body.tools).map((tool) => String(isObject(tool.function) ? tool.function.name : tool.name));

/** The SSE payloads of a streamed reply, without `[DONE]`. */
export const chatChunks = (reply: ScriptedReply, request: ModelServerRequest): object[] => {
  const { content, toolCalls, reasoning, finish } = completeReply(reply, request.messages);
  const chunk = (delta: object, finishReason: string | null = null) => ({
    id: "chatcmpl-scripted",
    object: "chat.completion.chunk",
    created: 0,
    model: request.model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  const finishReason = FINISH[finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop")];
  return [
    chunk({ role: "assistant", content: "" }),
    ...(isObject(reasoning) ? [chunk(reasoning)] : []),
    ...piecesOf(content).map((piece) => chunk({ content: piece })),
    ...toolCalls.flatMap(({ id, name, arguments: args }, index) => [
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...piecesOf(args).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finishReason),
    ...(wantsUsage(request) ? [{ ...chunk({}), choices: [], usage: chatUsage(reply, request) }] : []),
  ];
};

/** The body of a reply that was not asked to stream. */
export const chatCompletion = (reply: ScriptedReply, request: ModelServerRequest): object => {
  const { content, toolCalls, reasoning, finish } = completeReply(reply, request.messages);
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: content || null,
          ...(isObject(reasoning) ? reasoning : {}),
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(toWireCall) } : {}),
        },
        finish_reason: FINISH[finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop")],
      },
    ],
    usage: chatUsage(reply, request),
  };
};

const toWireCall = ({ id, name, arguments: args }: ScriptMessage["toolCalls"][number]) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

const chatUsage = (reply: ScriptedReply, request: ModelServerRequest): object => {
  const usage = wireUsage(reply, request);
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
};

/** The tokens that a reply names, or an estimate of what really went over the wire. */
export const wireUsage = (reply: ScriptedReply, { body }: ModelServerRequest) => {
  const written = (reply.toolCalls ?? []).reduce(
    (sum, call) => sum + estimateTokens(call.arguments),
    estimateTokens(reply.content ?? ""),
  );
  return {
    input: reply.usage?.inputTokens ?? estimateTokens(JSON.stringify(body.messages ?? body.input ?? "")),
    cached: reply.usage?.cachedInputTokens ?? 0,
    output: reply.usage?.outputTokens ?? written,
  };
};

const wantsUsage = ({ body }: ModelServerRequest): boolean =>
  isObject(body.stream_options) && body.stream_options.include_usage === true;

/** Text in pieces of a few words, as models send it. */
export const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,24}/gu) ?? [];

export const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

export const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map((part) => (typeof part.text === "string" ? part.text : ""))
        .join("");

export const roleName = (role: unknown): ScriptMessage["role"] =>
  role === "assistant" || role === "tool" || role === "user" ? role : "system";
