import { z } from "zod";
import { AppError, isAbort, messageOf } from "../base/errors.ts";
import { isObject, type JsonSchema } from "../base/json.ts";
import type { Redact } from "../base/redact.ts";
import type { ToolDefinition } from "../llm/model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { StoredNodes } from "./stored-nodes.ts";

export type ToolContext = {
  workspace: Workspace;
  signal: AbortSignal;
  /** SHA-256 (hex) of file contents that the model has seen, by path: what edits are checked against. */
  seen: Map<string, string>;
  /** Failed patches since the last good one, by path; the toolbox keeps them when the caller does not. */
  patchFailures?: Map<string, number>;
  /** What of the store the role may read; absent: nothing. */
  nodes?: StoredNodes;
  /** Masks what no model may be told; absent: there is nothing of the kind. */
  redact?: Redact;
  /** Called with pieces of a command's output as they come. */
  onOutput?: (piece: string) => void;
};

/** What a tool tells the model. A failed tool is an answer, not an exception. */
export type ToolAnswer = {
  ok: boolean;
  text: string;
  /** Files whose contents the answer showed, or that the call wrote: path → SHA-256 (hex). */
  seen?: Readonly<Record<string, string>>;
};

export type Tool = {
  name: string;
  description: string;
  /** Readers of one reply run side by side, writers in order. */
  effect: "read" | "write";
  parameters: JsonSchema;
  /** `args` as parsed from JSON. Only cancellation escapes. */
  run(args: unknown, context: ToolContext): Promise<ToolAnswer>;
};

/** One declaration gives validation, types and the model's JSON Schema. */
export const defineTool = <Input extends z.ZodType>(declaration: {
  name: string;
  description: string;
  effect: "read" | "write";
  input: Input;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer | string>;
}): Tool => ({
  name: declaration.name,
  description: declaration.description,
  effect: declaration.effect,
  parameters: withoutMeta(z.toJSONSchema(declaration.input, { io: "input" }) as JsonSchema),
  run: async (args, context) => {
    const input = declaration.input.safeParse(withoutNulls(args));
    if (!input.success) return { ok: false, text: problemsOf(declaration.name, input.error) };
    try {
      const answer = await declaration.run(input.data, context);
      return typeof answer === "string" ? { ok: true, text: answer } : answer;
    } catch (error) {
      if (isAbort(error, context.signal)) throw error;
      return { ok: false, text: failureOf(declaration.name, error) };
    }
  },
});

export const definitionOf = (tool: Tool): ToolDefinition => ({
  type: "function",
  function: { name: tool.name, description: tool.description, parameters: tool.parameters },
});

/** Models write null for an argument that they leave out; no built-in tool takes null for anything else. */
const withoutNulls = (args: unknown): unknown =>
  isObject(args) ? Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) : args;

const withoutMeta = ({ $schema: _, ...schema }: JsonSchema): JsonSchema => schema;

const failureOf = (name: string, error: unknown): string => {
  const hint = error instanceof AppError && error.hint !== undefined ? `\n${error.hint}` : "";
  return `${name}: ${messageOf(error)}${hint}`;
};

const problemsOf = (name: string, error: z.ZodError): string =>
  [
    `${name}: the arguments do not fit.`,
    ...error.issues.map((issue) => `- ${issue.path.join(".") || "(arguments)"}: ${issue.message}`),
  ].join("\n");
