import { z } from "zod";
import { isObject, type JsonSchema } from "../base/json.ts";
import { outputProblems } from "../workflow/schema.ts";
import { SUSPEND } from "../workflow/workflow.ts";
import { coerceArguments } from "./coerce-arguments.ts";

/** Problems are lines of `path: problem`. */
export type Resolution<T> = { ok: true; value: T } | { ok: false; problems: string };

/** Any role may answer this instead of its output: the thread waits for a person. */
const Suspension = z.looseObject({
  $status: z.literal(SUSPEND),
  reason: z.string().trim().min(1, "say what is needed, and from whom"),
});

/** Judges what a program or a text gave as a role's output: a suspension is one too. */
export const outputJudge = <T>(schema: z.ZodType<T>): ((value: unknown) => Resolution<T>) => {
  const output = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return (value) => judge(value, { schema, output });
};

/** The value as written, or as it was meant where that is clear: `"3"` for a number. */
export const judge = <T>(
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
