import { AppError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import type { ModelReply, ToolCall } from "../model.ts";

export type Tokens = { inputTokens: number; cachedInputTokens: number; outputTokens: number };

/** A reply as it came over the wire, complete, before usage is priced. */
export type Draft = {
  /** As the provider named it; null: it did not. */
  model: string | null;
  content: string;
  reasoning: Json | null;
  toolCalls: readonly ToolCall[];
  finish: ModelReply["finish"];
  /** null: the server gave no usage. */
  tokens: Tokens | null;
};

/** The stream ended or broke before the reply was complete: asking again is right. */
export const brokenStream = (message: string, cause?: unknown): AppError =>
  new AppError(message, {
    code: "model-stream-broken",
    remedy: "retry",
    ...(cause === undefined ? {} : { cause }),
  });

/** The provider says, in the middle of a stream, that it failed. */
export const streamFailure = (details: { message: string; code?: string | null | undefined }): Error =>
  Object.assign(new Error(details.message), { status: undefined, error: details });
