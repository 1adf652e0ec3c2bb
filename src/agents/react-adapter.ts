import { clockOf } from "../base/clock.ts";
import { configError } from "../base/errors.ts";
import type { AdapterFn } from "./adapter.ts";
import { systemPrompt } from "./loop-texts.ts";
import { observedModel } from "./model-call.ts";
import type { ReactAdapterConfig } from "./react-config.ts";
import { playRole } from "./react-loop.ts";
import { isResolve } from "./read-call.ts";
import { RESOLVE, resolveTool } from "./resolve-tool.ts";

export type { LoopEvent, ReactAdapterConfig, ToolCallContext } from "./react-config.ts";

/**
 * The built-in agent: a loop of model replies and tool calls that ends when the model calls `resolve` with an
 * output that fits the role's schema. Everything is in the journal before the loop goes on, and the loop goes on
 * from whatever journal it is given.
 *
 * The role rejects with `role-output-invalid`, `role-no-call`, `role-rounds-exceeded`, `role-budget-exceeded` or
 * `role-stuck` (all fix-input) when the model does not get there, with the signal's reason when it is cancelled,
 * and with what the model or the journal throws. Throws `tool-name-taken` when a tool is called `resolve`.
 */
export const createReactAdapter = (config: ReactAdapterConfig): AdapterFn => {
  if (config.tools.some((tool) => isResolve(tool.function))) {
    const problem = `a tool may not be called "${RESOLVE}": with it a role hands in its output`;
    throw configError("tool-name-taken", problem, "Give the tool another name.");
  }
  const { elapsed } = clockOf(config.now);
  const provider = observedModel(config.provider, { observe: config.observe, elapsed });
  const observed = { ...config, provider };
  return (prompt, schema) => {
    const setup = { config: observed, resolve: resolveTool(schema), system: systemPrompt(prompt) };
    return (context) => playRole(context, setup);
  };
};
