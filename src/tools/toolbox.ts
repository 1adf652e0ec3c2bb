import type { ToolDefinition } from "../llm/model.ts";
import { nearestNames } from "./nearest-names.ts";
import { definitionOf, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";

/** The tools of one role in one step, called by the names that a model writes. */
export type Toolbox = {
  /** In the tools' order, the same at every call: part of the cached prompt. */
  definitions: readonly ToolDefinition[];
  /** `read` for an unknown name: the answer to it changes nothing. */
  effect(name: string): Tool["effect"];
  /**
   * Runs the tool, also when the name differs in case or separators; `call` stands in for the context's own signal and
   * output. Only cancellation escapes.
   */
  run(
    name: string,
    args: unknown,
    call?: Pick<ToolContext, "onOutput"> & { signal?: AbortSignal },
  ): Promise<ToolAnswer>;
};

export const toolbox = (tools: readonly Tool[], context: ToolContext): Toolbox => {
  const own: ToolContext = { ...context, patchFailures: context.patchFailures ?? new Map() };
  const find = (name: string): Tool | undefined =>
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => plainName(tool.name) === plainName(name));
  return {
    definitions: tools.map(definitionOf),
    effect: (name) => find(name)?.effect ?? "read",
    run: async (name, args, call) => {
      const tool = find(name);
      if (tool === undefined) return { ok: false, text: unknownTool(name, tools) };
      const answer = await tool.run(args, { ...own, ...call });
      return own.redact === undefined ? answer : { ...answer, text: own.redact(answer.text) };
    },
  };
};

/** `Read_File`, `readFile` and `functions.read_file` all mean `read_file`. */
export const plainName = (name: string): string =>
  name
    .replace(/^functions[.:]/, "")
    .replace(/[\s_-]/g, "")
    .toLowerCase();

const unknownTool = (name: string, tools: readonly Tool[]): string => {
  const names = tools.map((tool) => tool.name);
  const near = nearestNames(name, names, { count: 3 });
  return near.length === 0
    ? `There is no tool ${JSON.stringify(name)}, and this role has no other.`
    : `There is no tool ${JSON.stringify(name)}. The nearest: ${near.join(", ")}.`;
};
