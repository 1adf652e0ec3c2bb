import { z } from "zod";
import type { Json } from "../../base/json.ts";
import type { ToolCall } from "../model.ts";
import { brokenStream, type Draft, streamFailure } from "./draft.ts";

const Item = z.looseObject({ type: z.string() });
type Item = z.output<typeof Item>;

const Message = z.object({
  content: z.array(z.object({ text: z.string().optional(), refusal: z.string().optional() })),
});
const Call = z.object({ call_id: z.string(), name: z.string(), arguments: z.string() });

const ResponseBody = z.object({
  model: z.string().nullish(),
  output: z.array(Item).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string() }).nullish(),
  usage: z
    .object({
      input_tokens: z.int().nonnegative(),
      output_tokens: z.int().nonnegative(),
      input_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});
type ResponseBody = z.output<typeof ResponseBody>;

const Event = z.discriminatedUnion("type", [
  z.object({ type: z.literal(["response.output_text.delta", "response.refusal.delta"]), delta: z.string() }),
  z.object({ type: z.literal("response.output_item.done"), item: Item }),
  z.object({
    type: z.literal(["response.completed", "response.incomplete", "response.failed"]),
    response: ResponseBody,
  }),
]);
const HANDLED = new Set<unknown>(Event.options.flatMap((option) => [...option.shape.type.values]));

/**
 * Reads a streamed response to its terminal event. Throws `model-stream-broken` when there is none, and the
 * provider's error where it reports one.
 */
export const readResponse = async (
  stream: AsyncIterable<{ type?: unknown; object?: unknown }>,
  { onText }: { onText?: ((piece: string) => void) | undefined },
): Promise<Draft> => {
  const items: Item[] = [];
  for await (const data of stream) {
    // A server that does not stream answers with the response itself.
    if (data.object === "response") return draftOf(parse(ResponseBody, data), items);
    if (!HANDLED.has(data.type)) continue;
    const event = parse(Event, data);
    if ("delta" in event) onText?.(event.delta);
    else if ("item" in event) items.push(event.item);
    else return draftOf(event.response, items);
  }
  throw brokenStream("the stream ended before the response was complete");
};

const draftOf = (response: ResponseBody, streamed: readonly Item[]): Draft => {
  if (response.error) throw streamFailure(response.error);
  const items = response.output && response.output.length > 0 ? response.output : streamed;
  const toolCalls = items.filter(({ type }) => type === "function_call").map(toToolCall);
  const usage = response.usage;
  return {
    model: response.model ?? null,
    content: items
      .filter(({ type }) => type === "message")
      .map(textOf)
      .join(""),
    reasoning: items.some(({ type }) => type === "reasoning") ? items.map(recorded) : null,
    toolCalls,
    finish: finishOf(response.incomplete_details?.reason ?? null, toolCalls),
    tokens: usage
      ? {
          inputTokens: usage.input_tokens,
          cachedInputTokens: usage.input_tokens_details?.cached_tokens ?? 0,
          outputTokens: usage.output_tokens,
        }
      : null,
  };
};

const finishOf = (incomplete: string | null, toolCalls: readonly ToolCall[]): Draft["finish"] => {
  if (incomplete !== null) return incomplete === "content_filter" ? "filtered" : "length";
  return toolCalls.length > 0 ? "tool-calls" : "stop";
};

const textOf = (item: Item): string =>
  parse(Message, item)
    .content.map((part) => part.text ?? part.refusal ?? "")
    .join("");

const toToolCall = (item: Item): ToolCall => {
  const { call_id, name, arguments: args } = parse(Call, item);
  return { id: call_id, name, arguments: args };
};

/** Calls can be long, and their text is kept with the reply's tool calls already. */
const recorded = (item: Item): Json =>
  (item.type === "function_call" ? { ...item, arguments: "" } : item) as unknown as Json;

const parse = <T>(schema: z.ZodType<T>, data: unknown): T => {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw brokenStream("an event of the stream is not of the protocol", parsed.error);
  return parsed.data;
};
