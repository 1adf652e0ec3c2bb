import { z } from "zod";
import { isObject, type Json, type JsonSchema } from "../base/json.ts";
import type { ToolDefinition } from "../llm/model.ts";
import { outputProblems } from "../workflow/schema.ts";
import { SUSPEND } from "../workflow/workflow.ts";
import { coerceArguments } from "./coerce-arguments.ts";
import { parseArguments } from "./parse-arguments.ts";

export const RESOLVE = "resolve";

export type Resolution<T> = { ok: true; value: T } | { ok: false; problems: string };

/** The tool with which a role hands in its output: the only way to finish. */
export type ResolveTool<T> = {
  definition: ToolDefinition;
  /** Judges the arguments as the model wrote them; problems are lines of `path: problem`. */
  read(argumentsText: string): Resolution<T>;
};

/** Any role may answer this instead of its output: the thread waits for a person. */
const Suspension = z.looseObject({
  $status: z.literal(SUSPEND),
  reason: z.string().trim().min(1, "say what is needed, and from whom"),
});

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

const judge = <T>(
  value: unknown,
  { schema, output }: { schema: z.ZodType<T>; output: JsonSchema },
): Resolution<T> => {
  const coerced = coerceArguments(value, output);
  // As written first: a value that fits must not be changed.
  for (const candidate of [value, coerced]) {
    const result = schema.safeParse(candidate);
    if (result.success && (!isSuspension(candidate) || isSuspension(result.data)))
      return { ok: true, value: result.data };
  }
  if (isSuspension(coerced)) {
    // The engine takes a suspension from every role, whatever the role's own schema says or leaves out.
    const suspension = Suspension.safeParse(coerced);
    if (suspension.success) return { ok: true, value: suspension.data as T };
    return { ok: false, problems: outputProblems(suspension.error, coerced).join("\n") };
  }
  const { error } = schema.safeParse(coerced);
  return { ok: false, problems: error ? outputProblems(error, coerced).join("\n") : "" };
};

const isSuspension = (value: unknown): boolean => isObject(value) && value.$status === SUSPEND;
