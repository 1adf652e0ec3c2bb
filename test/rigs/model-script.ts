import { type ScriptedReply, scriptedCallId } from "../../src/llm/scripted-model.ts";

/** A message of a request, in one form for both APIs. */
export type ScriptMessage = {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  toolCalls: readonly { id: string; name: string; arguments: string }[];
  /** Which call a tool message answers. */
  callId: string | null;
};

export type ModelServerRequest = {
  api: "chat" | "responses";
  model: string;
  messages: readonly ScriptMessage[];
  tools: readonly string[];
  stream: boolean;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The request as it came. */
  body: Readonly<Record<string, unknown>>;
};

/**
 * What goes wrong instead of (or in the middle of) a reply. `after` counts stream chunks that are still sent.
 * `status` answers an error; `cut` drops the connection; `end` closes the stream in good order before its end;
 * `hang` sends nothing more; `garbage` sends a chunk that is no JSON.
 */
export type Fault =
  | { fault: "status"; status: number; headers?: Record<string, string>; body?: unknown }
  | { fault: "cut" | "end" | "hang" | "garbage"; after?: number; reply?: ScriptedReply };

export type ModelScript = (
  request: ModelServerRequest,
) => ScriptedReply | Fault | Promise<ScriptedReply | Fault>;

export type RoleStep = ScriptedReply | Fault | ModelScript;

const CUT_OFF = /\bcall was cut off\b/;

/**
 * A stateless script: the role is read from the system prompt's line ``You are the **<role>**``, the step is the
 * number of assistant messages so far. So it can be asked by any process, and again after a crash: where a
 * tool result says that its call was cut off, the answer repeats that call instead of taking the next step.
 */
export const roleScript =
  (roles: Readonly<Record<string, readonly RoleStep[]>>): ModelScript =>
  async (request) => {
    const role = roleOf(request);
    const steps = role === null ? undefined : roles[role];
    if (role === null || steps === undefined) return refusal(`no script for the role ${role ?? "(none)"}`);

    const rounds = roundsOf(request.messages);
    const repeated = rounds.at(-1)?.cutOff ?? [];
    if (repeated.length > 0) return { toolCalls: repeated.map(withoutId) };

    const done = rounds.filter(({ cutOff }) => cutOff.length === 0).length;
    const step = steps[done];
    if (step === undefined) return refusal(`the script of ${role} is over after ${steps.length} steps`);
    return typeof step === "function" ? step(request) : step;
  };

/** An error that no client tries again. */
const refusal = (message: string): Fault => ({
  fault: "status",
  status: 400,
  body: {
    error: { message: `scripted model: ${message}`, type: "invalid_request_error", code: "script_over" },
  },
});

/** The role that the system prompt names, or null. */
const roleOf = ({ messages }: Pick<ModelServerRequest, "messages">): string | null => {
  const system = messages.find((message) => message.role === "system")?.content ?? "";
  return /You are the \*\*([\w-]+)\*\*/.exec(system)?.[1] ?? null;
};

/** Fills in what a wire reply needs and a script leaves out. */
export const completeReply = (
  reply: ScriptedReply,
  messages: readonly ScriptMessage[],
): ScriptedReply & { content: string; toolCalls: ScriptMessage["toolCalls"] } => ({
  ...reply,
  content: reply.content ?? "",
  toolCalls: (reply.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? scriptedCallId(messages, index),
  })),
});

type Call = ScriptMessage["toolCalls"][number];

/** Every assistant message with those of its calls whose result says that they were cut off. */
const roundsOf = (messages: readonly ScriptMessage[]): { cutOff: readonly Call[] }[] => {
  const cut = new Set<string | null>();
  for (const message of messages) {
    if (message.role === "tool" && CUT_OFF.test(message.content)) cut.add(message.callId);
  }
  return messages
    .filter((message) => message.role === "assistant")
    .map(({ toolCalls }) => ({ cutOff: toolCalls.filter((call) => cut.has(call.id)) }));
};

const withoutId = ({ name, arguments: args }: Call) => ({ name, arguments: args });
