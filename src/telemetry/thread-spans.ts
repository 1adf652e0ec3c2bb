import type { ModelCall } from "../agents/model-call.ts";
import { type Hash, type ThreadId, threadTime } from "../base/ids.ts";
import type { Usage } from "../store/payload.ts";
import type { ThreadEvent } from "../thread/events.ts";
import { isRunnable } from "../thread/state.ts";
import type { Span } from "./span.ts";
import { toolLabel } from "./tool-label.ts";
import { stepSpanId, threadSpanId, traceIdOf } from "./trace-ids.ts";

type EventOf<K extends ThreadEvent["kind"]> = Extract<ThreadEvent, { kind: K }>;

type OpenStep = {
  head: Hash;
  role: string;
  index: number;
  startedAt: number;
  provider: string | null;
  calls: Map<string, number>;
};

/** A run that is cut off without a word leaves its step here; the oldest go. */
const MOST_STEPS = 1_000;
const LONGEST_CALL_ID = 100;

/**
 * Makes spans of what happens in threads, by the GenAI conventions (https://opentelemetry.io/docs/specs/semconv/gen-ai/):
 * thread → step → model call and tool call. A span is made when it is over, by whichever worker ends it. What people or
 * models wrote is in none of them.
 */
export const threadSpans = (take: (span: Span) => void): ((event: ThreadEvent) => void) => {
  const steps = new Map<ThreadId, OpenStep>();

  const begin = ({ thread, head, role, index, startedAt }: EventOf<"step-started">): void => {
    steps.delete(thread);
    steps.set(thread, { head, role, index, startedAt, provider: null, calls: new Map() });
    const [oldest] = steps.keys();
    if (steps.size > MOST_STEPS && oldest !== undefined) steps.delete(oldest);
  };
  const over = (event: EventOf<"status">): void => {
    const { thread, status } = event;
    if (status === "running") return;
    const step = steps.get(thread);
    steps.delete(thread);
    if (isRunnable(status) || status === "paused" || status === "suspended") return;
    // What waits for a person, or for another worker, goes on: its span is made by whoever ends it.
    if (step !== undefined) take(stepSpan(step, { thread, at: event.at, error: status, usage: null }));
    take(threadSpan(event));
  };

  return (event) => {
    const { thread } = event;
    const step = steps.get(thread);
    switch (event.kind) {
      case "status":
        over(event);
        return;
      case "step-started":
        begin(event);
        return;
      case "step-finished":
        if (step !== undefined)
          take(stepSpan(step, { thread, at: event.at, error: null, usage: event.usage }));
        steps.delete(thread);
        return;
      case "model-called":
        if (step !== undefined) step.provider = event.model.provider;
        take({ ...modelSpan(event, event.at), ...placeIn(thread, step) });
        return;
      case "tool-started":
        step?.calls.set(event.callId, event.at);
        return;
      case "tool-finished": {
        const startMs = step?.calls.get(event.callId) ?? event.at - event.ms;
        step?.calls.delete(event.callId);
        take({ ...toolSpan(event, startMs), ...placeIn(thread, step) });
        return;
      }
      case "model-text":
      case "model-waiting":
      case "model-replied":
      case "tool-output":
      case "published":
        return;
    }
  };
};

type Place = Pick<Span, "traceId" | "parentId" | "spanId">;

const placeIn = (thread: ThreadId, step: OpenStep | undefined): Place => ({
  traceId: traceIdOf(thread),
  parentId: step === undefined ? threadSpanId(thread) : stepSpanId(thread, step.head),
  spanId: null,
});

const threadSpan = ({ thread, at, status }: EventOf<"status">): Span => ({
  traceId: traceIdOf(thread),
  spanId: threadSpanId(thread),
  parentId: null,
  name: "thread",
  kind: "internal",
  startMs: Math.min(threadTime(thread), at),
  endMs: at,
  attributes: { "gen_ai.conversation.id": thread, "uwf.thread.id": thread, "uwf.thread.status": status },
  error: status === "completed" ? null : status,
});

const stepSpan = (
  { head, role, index, startedAt, provider }: OpenStep,
  { thread, at, error, usage }: { thread: ThreadId; at: number; error: string | null; usage: Usage | null },
): Span => ({
  traceId: traceIdOf(thread),
  spanId: stepSpanId(thread, head),
  parentId: threadSpanId(thread),
  name: `invoke_agent ${role}`,
  kind: "internal",
  startMs: Math.min(startedAt, at),
  endMs: at,
  attributes: {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": role,
    "gen_ai.conversation.id": thread,
    "uwf.thread.id": thread,
    "uwf.step.index": index + 1,
    ...(provider === null ? {} : { "gen_ai.provider.name": provider }),
    ...(usage === null ? {} : usageAttributes(usage)),
  },
  error,
});

const modelSpan = ({ model, result, ms }: ModelCall, at: number): Omit<Span, keyof Place> => ({
  name: `chat ${model.name}`,
  kind: "client",
  startMs: at - ms,
  endMs: at,
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": model.provider,
    "gen_ai.request.model": model.name,
    "uwf.model.alias": model.alias,
    ...("error" in result
      ? {}
      : {
          "gen_ai.response.model": result.answeredBy,
          "gen_ai.response.finish_reasons": [FINISH[result.finish]],
          ...usageAttributes(result.usage),
        }),
  },
  error: "error" in result ? result.error : null,
});

const FINISH = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  filtered: "content_filter",
} as const;

const toolSpan = (
  { name, callId, ok, ms }: EventOf<"tool-finished">,
  startMs: number,
): Omit<Span, keyof Place> => ({
  name: `execute_tool ${toolLabel(name)}`,
  kind: "internal",
  startMs,
  endMs: startMs + ms,
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolLabel(name),
    "gen_ai.tool.call.id": callId.slice(0, LONGEST_CALL_ID),
    "gen_ai.tool.type": "function",
  },
  error: ok ? null : "tool-failed",
});

const usageAttributes = ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
  costUsd,
}: Usage): Span["attributes"] => ({
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.cache_read.input_tokens": cachedInputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  ...(costUsd === null ? {} : { "uwf.cost_usd": costUsd }),
});
