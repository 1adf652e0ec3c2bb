import type { Json, JsonSchema } from "../base/json.ts";
import type { Usage } from "../store/payload.ts";
import type { Price } from "./model-config.ts";

/** A tool as chat-completion APIs take it. */
export type ToolDefinition = {
  type: "function";
  function: { name: string; description: string; parameters: JsonSchema };
};

/** `arguments` is the text that the model wrote: JSON, or what it took for it. */
export type ToolCall = { id: string; name: string; arguments: string };

/** One message of a conversation, by who says it. */
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; toolCalls: readonly ToolCall[]; reasoning: Json | null }
  | { role: "tool"; callId: string; content: string };

/** One question to a model: the whole conversation, and the tools that it may call. */
export type ModelRequest = {
  messages: readonly ChatMessage[];
  tools: readonly ToolDefinition[];
  /** A name forces that tool; the tool list stays as it was, for the prompt cache. */
  toolChoice: "auto" | "none" | { name: string };
  /** Tokens that this reply may have, where that is less than the model's own limit. */
  maxOutputTokens?: number;
};

/** What a model has answered, and what that took. */
export type ModelReply = {
  /** As the provider named it. */
  model: string;
  content: string;
  /** What the provider wants back verbatim with the next request (reasoning items), or null. */
  reasoning: Json | null;
  toolCalls: readonly ToolCall[];
  /** Why it ended: `length` at the output limit, `filtered` by the provider. */
  finish: "stop" | "tool-calls" | "length" | "filtered";
  usage: Usage;
};

/** How a question is watched. */
export type AskOptions = {
  /** Fires when the answer is not wanted any more: `ask` rejects with its reason. */
  signal: AbortSignal;
  /** Called with pieces of text as they come. */
  onText?: (piece: string) => void;
  /** Called before a wait: what went wrong and for how many milliseconds. */
  onRetry?: (wait: { reason: string; ms: number }) => void;
  /** Awaited after a request that brought no reply, and has used something all the same. What it throws ends the question. */
  onLost?: (lost: { reason: string; usage: Usage }) => Promise<void>;
};

/**
 * One language model. `ask` waits out rate limits and passing failures itself; what it throws is final for now:
 * `model-unavailable` (retry), `model-context-overflow` (retry after compaction), `model-refused` (fix-config: key,
 * credit, model, address), `model-request-invalid` (fix-config: the provider does not take such a request).
 */
export interface Model {
  /** The configured alias, the provider's name for it, and the provider's alias. */
  readonly alias: string;
  readonly name: string;
  readonly provider: string;
  /** Tokens that a conversation may have, the reply included. */
  readonly contextTokens: number;
  /** Tokens that one reply may have. */
  readonly maxOutputTokens: number;
  /** Absent: it has none, and what it costs is not counted. */
  readonly price?: Price | undefined;
  ask(request: ModelRequest, options: AskOptions): Promise<ModelReply>;
}
