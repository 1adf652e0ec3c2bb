import type { Redact, Secrets } from "../base/redact.ts";
import { redactStream } from "../base/redact-stream.ts";
import type { ChatMessage, Model, ModelReply, ModelRequest, ToolCall } from "./model.ts";

/** Texts whose masked form is remembered: a conversation is sent again with each turn. */
const MOST_REMEMBERED = 4_000;

/** The model, which is told no secret of this process, and whose words hold none when they come back. */
export const redactedModel = (model: Model, secrets: Pick<Secrets, "redact" | "heldBack">): Model => {
  const redact = remembering(secrets.redact);
  return {
    ...model,
    ask: async (request, options) => {
      const stream = redactStream(secrets);
      const { onText } = options;
      const show = (text: string): void => {
        if (text !== "") onText?.(text);
      };
      const reply = await model.ask(withoutSecrets(request, redact), {
        ...options,
        ...(onText === undefined ? {} : { onText: (piece) => show(stream.push(piece)) }),
        onRetry: (wait) => {
          stream.end();
          options.onRetry?.(wait);
        },
      });
      show(stream.end());
      return cleanReply(reply, secrets.redact);
    },
  };
};

const withoutSecrets = (request: ModelRequest, redact: Redact): ModelRequest => ({
  ...request,
  messages: request.messages.map((message) => cleanMessage(message, redact)),
});

const cleanMessage = (message: ChatMessage, redact: Redact): ChatMessage => {
  const content = redact(message.content);
  return message.role === "assistant"
    ? { ...message, content, toolCalls: message.toolCalls.map((call) => cleanCall(call, redact)) }
    : { ...message, content };
};

/** What the provider wants back verbatim stays as it is: it comes from there. */
const cleanReply = (reply: ModelReply, redact: Redact): ModelReply => ({
  ...reply,
  content: redact(reply.content),
  toolCalls: reply.toolCalls.map((call) => cleanCall(call, redact)),
});

const cleanCall = (call: ToolCall, redact: Redact): ToolCall => ({
  ...call,
  arguments: redact(call.arguments),
});

/** Secrets that become known later are never in texts that were clean: they did not exist. */
const remembering = (redact: Redact): Redact => {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    const clean = before ?? redact(text);
    known.delete(text);
    known.set(text, clean);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return clean;
  };
};
