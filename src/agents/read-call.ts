import type { ToolCall, ToolDefinition } from "../llm/model.ts";
import { nearestNames } from "../tools/nearest-names.ts";
import { coerceArguments } from "./coerce-arguments.ts";
import { parseArguments } from "./parse-arguments.ts";
import { RESOLVE } from "./resolve-tool.ts";

/** A call that can be run, under the tool's own name and with valid JSON, or the answer that tells why not. */
export type ReadCall =
  | { kind: "run"; id: string; name: string; args: string }
  | { kind: "refuse"; id: string; name: string; text: string };

/** Makes out what a model called: the wrong case is forgiven, an unknown name is answered with the nearest. */
export const readCall = (call: ToolCall, tools: readonly ToolDefinition[]): ReadCall => {
  const tool = findTool(call.name, tools);
  if (tool === undefined) {
    return { kind: "refuse", id: call.id, name: call.name, text: unknownTool(call.name, tools) };
  }
  const { name, parameters } = tool.function;
  const parsed = parseArguments(call.arguments);
  if (!parsed.ok) {
    return { kind: "refuse", id: call.id, name, text: `${name} was not run: ${parsed.problem}` };
  }
  const args = JSON.stringify(coerceArguments(parsed.value, parameters));
  return { kind: "run", id: call.id, name, args };
};

export const isResolve = (call: Pick<ToolCall, "name">): boolean =>
  call.name.trim().toLowerCase() === RESOLVE;

const findTool = (name: string, tools: readonly ToolDefinition[]): ToolDefinition | undefined => {
  const bare = name.trim();
  return (
    tools.find((tool) => tool.function.name === bare) ??
    tools.find((tool) => tool.function.name.toLowerCase() === bare.toLowerCase())
  );
};

const unknownTool = (name: string, tools: readonly ToolDefinition[]): string => {
  const names = [...tools.map((tool) => tool.function.name), RESOLVE];
  const nearest = nearestNames(name, names, { count: 3 }).join(", ");
  return `There is no tool "${name.slice(0, 100)}". The nearest are: ${nearest}.`;
};
