import { bugError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Usage } from "../store/payload.ts";
import type { AskOptions, ChatMessage, Model, ModelReply, ModelRequest } from "./model.ts";

/** A reply as a script writes it: what is left out is filled in from the request. */
export type ScriptedReply = {
  content?: string;
  toolCalls?: readonly { id?: string; name: string; arguments: string }[];
  reasoning?: Json;
  finish?: ModelReply["finish"];
  usage?: Usage;
};

/** A reply, an error to throw, or a function that decides by the request. */
export type ScriptedStep =
  | ScriptedReply
  | Error
  | ((request: ModelRequest, options: AskOptions) => ScriptedReply | Error | Promise<ScriptedReply | Error>);

/** What the model says of itself. */
export type ScriptedModelOptions = {
  alias?: string;
  name?: string;
  contextTokens?: number;
  maxOutputTokens?: number;
  price?: Model["price"];
  /** What every reply costs that names no usage of its own. */
  usage?: Usage;
};

/** A model with a script, and what it was asked. */
export type ScriptedModel = Model & {
  /** The messages of every request so far, as they stood then. */
  readonly asked: readonly (readonly ChatMessage[])[];
  /** The same requests whole, with tools and tool choice. */
  readonly requests: readonly ModelRequest[];
  /** Throws when the script has steps that were never asked for. */
  assertDone(): void;
};

/** A reply that calls a tool, and with `more` several in order. Text arguments are given as they are. */
export const calls = (name: string, args: Json, ...more: ScriptedReply[]): ScriptedReply => ({
  toolCalls: [
    { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
    ...more.flatMap((reply) => reply.toolCalls ?? []),
  ],
});

/** A reply of text alone. */
export const says = (text: string): ScriptedReply => ({ content: text });

/** A reply that ends the role with its output. */
export const resolves = (value: Json): ScriptedReply => calls("resolve", JSON.stringify(value));

/** The id of the nth call of a reply: the same for the same conversation, in whatever process. */
export const scriptedCallId = (messages: readonly { role: string }[], index: number): string =>
  `call_${messages.filter((message) => message.role === "assistant").length + 1}_${index + 1}`;

/**
 * A model that answers from a script, in order, and keeps what it was asked. A request after the last step is a
 * bug of the test or of the code under test, and throws.
 */
export const scriptedModel = (
  steps: readonly ScriptedStep[],
  options: ScriptedModelOptions = {},
): ScriptedModel => {
  const { alias = "default", name = "scripted", contextTokens = 128_000, maxOutputTokens = 16_000 } = options;
  const requests: ModelRequest[] = [];
  const asked: (readonly ChatMessage[])[] = [];

  return {
    alias,
    name,
    provider: "scripted",
    contextTokens,
    maxOutputTokens,
    price: options.price,
    asked,
    requests,
    ask: async (request, askOptions) => {
      askOptions.signal.throwIfAborted();
      const copy = structuredClone(request);
      const step = steps[requests.push(copy) - 1];
      asked.push(copy.messages);
      if (step === undefined) throw bugError(scriptIsOver(steps.length, copy));
      const reply = typeof step === "function" ? await abortable(step, copy, askOptions) : step;
      if (reply instanceof Error) throw reply;
      if (reply.content) askOptions.onText?.(reply.content);
      return complete(reply, copy, { name, usage: options.usage ?? USAGE });
    },
    assertDone: () => {
      if (requests.length < steps.length) {
        throw bugError(`the script has ${steps.length} steps, but only ${requests.length} were asked for`);
      }
    },
  };
};

const USAGE: Usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 10, costUsd: 0.001 };

const complete = (
  reply: ScriptedReply,
  { messages }: ModelRequest,
  { name, usage }: { name: string; usage: Usage },
): ModelReply => {
  const toolCalls = (reply.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? scriptedCallId(messages, index),
  }));
  return {
    model: name,
    content: reply.content ?? "",
    reasoning: reply.reasoning ?? null,
    toolCalls,
    finish: reply.finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
    usage: reply.usage ?? usage,
  };
};

/** A step may wait for something that never comes; the signal ends it all the same. */
const abortable = async (
  step: Extract<ScriptedStep, (...args: never) => unknown>,
  request: ModelRequest,
  options: AskOptions,
): Promise<ScriptedReply | Error> => {
  const { signal } = options;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([step(request, options), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};

const scriptIsOver = (length: number, { messages }: ModelRequest): string => {
  const last = messages.at(-1);
  const text = last === undefined ? "nothing" : `${last.role}: ${last.content.slice(0, 200)}`;
  return `the script's ${length} steps are over, but the model was asked again (last message: ${text})`;
};
