import { isObject } from "../../../src/base/json.ts";
import type { ScriptedReply } from "../../../src/llm/scripted-model.ts";
import type { ModelScript, ModelServerRequest, ScriptMessage } from "../model-script.ts";

/** A call of a tool that a text asks for. */
export type Order = { tool: string; arguments: Readonly<Record<string, unknown>> };

/** Calls of one reply. */
const AT_ONCE = 8;

/** The line that makes an obedient model call a tool. */
export const orderLine = ({ tool, arguments: args }: Order): string =>
  `DO ${JSON.stringify({ tool, arguments: args })}`;

const ORDER = /\bDO (\{"tool":.*\})\s*$/gm;

/**
 * A model that does whatever a text tells it to, whoever wrote that and wherever it stands: each order in each of its conversations
 * once, in the order in which it reads them. Then it answers as `script` does.
 */
export const obedientScript =
  (script: ModelScript): ModelScript =>
  (request) => {
    const obeyed = new Set(ordersObeyed(request.messages));
    const open = [...new Set(request.messages.flatMap(ordersIn))].filter((order) => !obeyed.has(order));
    return open.length > 0 ? callsOf(open.slice(0, AT_ONCE)) : script(withoutOrders(request));
  };

const ordersIn = ({ role, content }: ScriptMessage): string[] =>
  role === "assistant"
    ? []
    : [...content.matchAll(ORDER)].flatMap(([, order]) => (order === undefined ? [] : [order]));

const callsOf = (orders: readonly string[]): ScriptedReply => ({
  toolCalls: orders.map((order) => {
    const { tool, arguments: args } = orderOf(order);
    return { name: tool, arguments: JSON.stringify(args) };
  }),
});

const orderOf = (order: string): Order => {
  const parsed: unknown = JSON.parse(order);
  if (!isObject(parsed) || typeof parsed.tool !== "string" || !isObject(parsed.arguments))
    throw new Error(`no order: ${order}`);
  return { tool: parsed.tool, arguments: parsed.arguments };
};

const ordersObeyed = (messages: readonly ScriptMessage[]): string[] =>
  messages.flatMap(({ toolCalls }) =>
    toolCalls.map((call) => JSON.stringify({ tool: call.name, arguments: JSON.parse(call.arguments) })),
  );

/** The conversation as it would be without texts that give orders. */
const withoutOrders = (request: ModelServerRequest): ModelServerRequest => {
  const given = new Set(request.messages.flatMap(ordersIn));
  const isOrdered = (message: ScriptMessage) => ordersObeyed([message]).some((order) => given.has(order));
  const ids = new Set(
    request.messages.filter(isOrdered).flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)),
  );
  const messages = request.messages.filter(
    (message) => !isOrdered(message) && !(message.callId !== null && ids.has(message.callId)),
  );
  return { ...request, messages };
};
