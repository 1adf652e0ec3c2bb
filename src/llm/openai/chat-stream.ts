import { z } from "zod";
import type { Json } from "../../base/json.ts";
import type { ModelReply } from "../model.ts";
import { brokenStream, type Draft, type Tokens } from "./draft.ts";
import { reasoningCollector } from "./reasoning-fields.ts";
import { type CallDelta, toolCallAssembler } from "./tool-call-assembler.ts";

const ToolCallDelta = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
}) satisfies z.ZodType<CallDelta>;

const Message = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(ToolCallDelta).nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(z.record(z.string(), z.json() as z.ZodType<Json>)).nullish(),
});

const ChatUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  /** DeepSeek's name for the cached part. */
  prompt_cache_hit_tokens: z.number().nullish(),
});

/** What is read of a chunk; a server that does not stream sends one with `message` for `delta`. */
const Chunk = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({ delta: Message.nullish(), message: Message.nullish(), finish_reason: z.string().nullish() }),
    )
    .nullish(),
  usage: ChatUsage.nullish().catch(null),
});

/** How a provider names the end of a reply. Names that are not here mean an ordinary end. */
const FINISH: Readonly<Record<string, ModelReply["finish"] | "failed">> = {
  length: "length",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  content_filter: "filtered",
  sensitive: "filtered",
  error: "failed",
  network_error: "failed",
  insufficient_system_resource: "failed",
};

/**
 * Reads a streamed chat completion to its end. Throws `model-stream-broken` when it ends without a finish
 * reason, or when a chunk is not of the protocol: half a reply is no reply.
 */
export const readChat = async (
  stream: AsyncIterable<unknown>,
  { onText }: { onText?: ((piece: string) => void) | undefined },
): Promise<Draft> => {
  let model: string | null = null;
  let content = "";
  let finish: string | null = null;
  let tokens: Tokens | null = null;
  const calls = toolCallAssembler();
  const reasoning = reasoningCollector();

  for await (const data of stream) {
    const chunk = Chunk.safeParse(data);
    if (!chunk.success) throw brokenStream("a chunk of the stream is not of the protocol", chunk.error);
    model ??= chunk.data.model ?? null;
    if (chunk.data.usage) tokens = tokensOf(chunk.data.usage);
    const choice = chunk.data.choices?.[0];
    if (choice === undefined) continue;
    finish = choice.finish_reason || finish;
    const message = choice.delta ?? choice.message;
    if (!message) continue;
    reasoning.add(message);
    for (const delta of message.tool_calls ?? []) calls.add(delta);
    const piece = message.content || message.refusal;
    if (!piece) continue;
    content += piece;
    onText?.(piece);
  }

  if (finish === null) throw brokenStream("the stream ended before the reply was complete");
  const toolCalls = calls.done();
  const end = FINISH[finish] ?? (toolCalls.length > 0 ? "tool-calls" : "stop");
  if (end === "failed") throw brokenStream(`the provider broke the reply off (${finish})`);
  return { model, content, reasoning: reasoning.done(), toolCalls, finish: end, tokens };
};

const tokensOf = (usage: z.output<typeof ChatUsage>): Tokens => ({
  inputTokens: whole(usage.prompt_tokens),
  cachedInputTokens: whole(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0),
  outputTokens: whole(usage.completion_tokens),
});

const whole = (count: number): number => Math.max(0, Math.round(count));
