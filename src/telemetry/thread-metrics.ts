import { Counter, Histogram, type Registry } from "prom-client";
import type { ModelCall } from "../agents/model-call.ts";
import type { ThreadEvent } from "../thread/events.ts";
import { isRunnable } from "../thread/state.ts";
import { toolLabel } from "./tool-label.ts";

const MODEL_SECONDS = [0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320];
const TOOL_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900];
const STEP_SECONDS = [5, 15, 60, 180, 600, 1_800, 3_600];

/** Counts what happens in this process's threads. Labels are aliases of the configuration and words of ours. */
export const threadMetrics = (registry: Registry): ((event: ThreadEvent) => void) => {
  const counters = countersIn(registry);
  return (event) => {
    switch (event.kind) {
      case "status":
        if (!isRunnable(event.status)) counters.stops.inc({ status: event.status });
        return;
      case "step-finished":
        counters.steps.inc();
        counters.stepSeconds.observe(event.ms / 1000);
        return;
      case "model-called":
        countCall(counters, event);
        return;
      case "model-waiting":
        counters.waits.inc();
        return;
      case "tool-finished": {
        const tool = toolLabel(event.name);
        counters.tools.inc({ tool, outcome: event.ok ? "ok" : "failed" });
        counters.toolSeconds.observe({ tool }, event.ms / 1000);
        return;
      }
      case "published":
        counters.published.inc();
        return;
      case "step-started":
      case "model-text":
      case "model-replied":
      case "tool-started":
      case "tool-output":
        return;
    }
  };
};

const countCall = (counters: ReturnType<typeof countersIn>, { model, result, ms }: ModelCall): void => {
  const { alias } = model;
  counters.calls.inc({ model: alias, outcome: "error" in result ? result.error : "ok" });
  counters.callSeconds.observe({ model: alias }, ms / 1000);
  if ("error" in result) return;
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = result.usage;
  counters.tokens.inc({ model: alias, kind: "input" }, Math.max(0, inputTokens - cachedInputTokens));
  counters.tokens.inc({ model: alias, kind: "cached_input" }, cachedInputTokens);
  counters.tokens.inc({ model: alias, kind: "output" }, outputTokens);
  counters.cost.inc({ model: alias }, costUsd ?? 0);
};

const countersIn = (registry: Registry) => {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const histogram = <L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly L[] = [],
  ) => new Histogram({ name, help, buckets, labelNames, registers: [registry] });
  return {
    stops: counter("uwf_thread_stops_total", "Threads that ended or wait for a person, by their state.", [
      "status",
    ]),
    steps: counter("uwf_steps_total", "Steps that were appended."),
    stepSeconds: histogram("uwf_step_seconds", "Time from a step's begin to its end.", STEP_SECONDS),
    calls: counter("uwf_model_calls_total", "Calls of models, by alias and by ok or what went wrong.", [
      "model",
      "outcome",
    ]),
    callSeconds: histogram("uwf_model_call_seconds", "Time of a model call, with its waits.", MODEL_SECONDS, [
      "model",
    ]),
    waits: counter("uwf_model_waits_total", "Waits for a model that was busy or failed."),
    tokens: counter("uwf_tokens_total", "Tokens by model and kind; input is what no cache had.", [
      "model",
      "kind",
    ]),
    cost: counter("uwf_cost_usd_total", "US dollars by configured prices.", ["model"]),
    tools: counter("uwf_tool_calls_total", "Answers of tools.", ["tool", "outcome"]),
    toolSeconds: histogram("uwf_tool_call_seconds", "Time of a tool call.", TOOL_SECONDS, ["tool"]),
    published: counter(
      "uwf_published_total",
      "Times that a branch was pushed and its pull request opened or updated.",
    ),
  };
};
