import { z } from "zod";
import { deeperThan } from "../base/deeper-than.ts";
import { inputError, messageOf } from "../base/errors.ts";
import { isObject, type JsonSchema } from "../base/json.ts";
import { withinTime } from "../base/time-limit.ts";
import { problemsOf, showProblem, type ValueProblem } from "../base/value-problems.ts";
import { answerSchema } from "./json-schema/answer.ts";
import { isQuickToCheck } from "./json-schema/cost.ts";
import { shapesWith, statusesOf } from "./json-schema/status.ts";
import { impliedType, mapSchemas } from "./json-schema/walk.ts";
import { SUSPEND } from "./workflow.ts";

const CHECK_MS = 500;
/** What schemas that hold themselves are checked with, and what answers are stored with, goes from level to level. */
const MAX_DEPTH = 100;

/** What any role may answer instead of its output: the thread waits for a person. */
type Suspension = { $status: typeof SUSPEND; reason: string };

/**
 * A role's output schema: what fits the JSON Schema, or a `Suspension` (whatever else stands beside its two
 * fields). Its `z.toJSONSchema` is the author's own, with room for the suspension. Throws `schema-invalid`; checking
 * an output throws `too-slow` when a pattern of the schema runs for ever.
 */
export const outputSchema = (schema: JsonSchema): z.ZodType<unknown> => {
  const whole = zodOf(schema);
  const byStatus = branches(schema);
  const check = inTime(schema, (value) => whole.safeParse(value));
  const output = z.unknown().transform((value, context): unknown => {
    if (isObject(value) && value.$status === SUSPEND) {
      const { reason } = value;
      if (typeof reason === "string" && reason.trim() !== "")
        return { $status: SUSPEND, reason } satisfies Suspension;
      context.addIssue({ code: "custom", path: ["reason"], message: "must say what a person has to decide" });
      return z.NEVER;
    }
    if (deeperThan(value, MAX_DEPTH)) {
      context.addIssue({ code: "custom", message: `must not be nested deeper than ${MAX_DEPTH} levels` });
      return z.NEVER;
    }
    const result = check(value);
    if (result.success) return result.data;
    for (const { path, message } of byStatus(value) ?? problemsOf(result.error, value))
      context.addIssue({ code: "custom", path: [...path], message });
    return z.NEVER;
  });
  output._zod.toJSONSchema = () => answerSchema(schema);
  return output;
};

/** Watching the time costs more than most checks take: only those that may run long are watched. */
const inTime = <T>(schema: JsonSchema, check: (value: unknown) => T): ((value: unknown) => T) =>
  isQuickToCheck(schema)
    ? check
    : (value) => withinTime("checking the output against the role's schema", CHECK_MS, () => check(value));

/** `path: problem`, one per line of what a model or a person has to mend. */
export const outputProblems = (error: z.ZodError, output: unknown): string[] =>
  problemsOf(error, output).map(showProblem);

/** zod's form of a JSON Schema; keywords without a `type` say which type they mean. */
export const zodOf = (schema: JsonSchema): z.ZodType => {
  const typed = mapSchemas(schema, (one) => {
    const type = impliedType(one);
    return type === undefined ? one : { ...one, type };
  });
  try {
    return z.fromJSONSchema(typed as Parameters<typeof z.fromJSONSchema>[0], { registry: z.registry() });
  } catch (error) {
    throw inputError("schema-invalid", `the output schema cannot be used: ${messageOf(error)}`);
  }
};

/** Among alternatives, the one that the output's status names is the one to compare with. */
const branches = (schema: JsonSchema): ((value: unknown) => ValueProblem[] | null) => {
  const statuses = statusesOf(schema);
  const options = schema.oneOf ?? schema.anyOf;
  if (!statuses || !Array.isArray(options)) return () => null;
  const { field, values } = statuses;
  return (value) => {
    const status = isObject(value) ? value[field] : undefined;
    if (typeof status !== "string" || !values.includes(status)) {
      const message = `must be one of ${values.map((one) => JSON.stringify(one)).join(", ")}`;
      return isObject(value)
        ? [{ path: [field], message: status === undefined ? `missing, ${message}` : message }]
        : null;
    }
    const meant = options.filter((option) => {
      const alone = { ...schema, oneOf: [option] } as JsonSchema;
      delete alone.anyOf;
      return shapesWith(alone, { field, value: status }).length > 0;
    });
    if (meant.length !== 1) return null;
    const { oneOf: _, anyOf: __, ...base } = schema;
    const alone = zodOf({ ...base, allOf: [...(Array.isArray(base.allOf) ? base.allOf : []), ...meant] });
    const result = withinTime("checking the output", CHECK_MS, () => alone.safeParse(value));
    return result.success ? null : problemsOf(result.error, value);
  };
};
