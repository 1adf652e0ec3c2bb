import { z } from "zod";
import { isObject, type Json, type JsonSchema } from "../base/json.ts";
import type { ToolDefinition } from "../llm/model.ts";
import { SUSPEND } from "../workflow/workflow.ts";
import { judge, type Resolution } from "./judge-output.ts";
import { parseArguments } from "./parse-arguments.ts";

export const RESOLVE = "resolve";

/** The tool with which a role hands in its output: the only way to finish. */
export type ResolveTool<T> = {
  definition: ToolDefinition;
  /** Judges the arguments as the model wrote them; problems are lines of `path: problem`. */
  read(argumentsText: string): Resolution<T>;
};

/**
 * Makes the tool from the schema of a role's output. The output is one property of the arguments and not the
 * arguments themselves, because model providers refuse tools whose parameters are a choice (`anyOf`) at the top,
 * and the suspension makes every output one. Models that leave the wrapping out are understood all the same.
 */
export const resolveTool = <T>(schema: z.ZodType<T>): ResolveTool<T> => {
  const output = outputSchema(schema);
  const { $defs, definitions, ...inner } = output;
  return {
    definition: {
      type: "function",
      function: {
        name: RESOLVE,
        description:
          "Hand in the output of your role and end it. Call it alone, when the work is done and checked; " +
          "or with the suspension when you cannot go on without a person.",
        parameters: {
          type: "object",
          properties: { output: inner },
          required: ["output"],
          additionalProperties: false,
          ...($defs === undefined ? {} : { $defs }),
          ...(definitions === undefined ? {} : { definitions }),
        },
      },
    },
    read: (text) => {
      const parsed = parseArguments(text);
      if (!parsed.ok) return { ok: false, problems: parsed.problem };
      const [first, ...others] = candidates(parsed.value).map((value) => judge(value, { schema, output }));
      return (
        others.find((judged) => judged.ok && !first?.ok) ?? first ?? { ok: false, problems: "no output" }
      );
    },
  };
};

/** The JSON Schema of what may be handed in, below `properties.output` of the tool's parameters. */
const outputSchema = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...own } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  if (allowsSuspension(own)) return rebase(own, "#/properties/output") as JsonSchema;
  const { $defs, definitions, ...bare } = rebase(own, "#/properties/output/anyOf/0") as JsonSchema;
  return {
    anyOf: [bare, SUSPENSION_SCHEMA],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
};

const SUSPENSION_SCHEMA: JsonSchema = {
  description: "Instead of the output, when a person must act first.",
  type: "object",
  properties: {
    $status: { type: "string", const: SUSPEND },
    reason: { type: "string", description: "What is needed, from whom, and what was tried." },
  },
  required: ["$status", "reason"],
};

/** True when the schema's `$status` may say so: its own, or that of one of its alternatives. */
const allowsSuspension = (schema: JsonSchema): boolean =>
  [schema, schema.anyOf, schema.oneOf].flat().some((shape) => {
    const status = isObject(shape) && isObject(shape.properties) ? shape.properties.$status : undefined;
    if (!isObject(status)) return false;
    return status.const === SUSPEND || (Array.isArray(status.enum) && status.enum.includes(SUSPEND));
  });

/** Points references to the schema's own root to where the schema now stands; definitions stay at the top. */
const rebase = (value: Json, base: string): Json => {
  if (Array.isArray(value)) return value.map((item) => rebase(item, base));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonSchema).map(([key, item]) =>
      key === "$ref" && typeof item === "string" && /^#(?!\/(\$defs|definitions)\/)/.test(item)
        ? [key, base + item.slice(1)]
        : [key, rebase(item, base)],
    ),
  );
};

/** The output as the model may have meant it, the likeliest first: inside `output`, or the arguments themselves. */
const candidates = (args: Record<string, unknown>): unknown[] =>
  Object.hasOwn(args, "output") && Object.keys(args).length === 1 ? [args.output, args] : [args];
