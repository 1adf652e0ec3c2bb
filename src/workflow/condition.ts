import type { Environment } from "@marcbachmann/cel-js";
import { inputError, messageOf } from "../base/errors.ts";
import { isObject, type JsonSchema } from "../base/json.ts";
import { didYouMean } from "../base/nearest.ts";
import { recent } from "../base/recent.ts";
import { withinTime } from "../base/time-limit.ts";
import { isQuick } from "./condition-cost.ts";
import { type CelFields, celFields } from "./json-schema/cel-type.ts";
import { unknownTrigger } from "./known-triggers.ts";

const MAX_CONDITION = 4000;
const CONDITION_MS = 200;
/** A few workflows have few edges each; parsing one takes ten times as long as deciding it. */
const MOST_PARSED = 200;
// Nested comprehensions multiply: with the time limit, depth bounds what one condition can build.
const limits = {
  maxAstNodes: 500,
  maxDepth: 32,
  maxListElements: 200,
  maxMapEntries: 100,
  maxCallArguments: 16,
};

/** What a condition speaks of. */
export type ConditionContext = {
  /** The last output; null before the first step. */
  output: unknown;
  /** The last output of each role that has run, by role. */
  steps: Readonly<Record<string, unknown>>;
  /** How often each role has run, by role. */
  visits: Readonly<Record<string, number>>;
  /** The thread's input. */
  input: string;
  /** What began the thread: `label`, `review`, `checks` or a command's name; empty for anything else. */
  trigger: string;
};

/** What is known of the variables before anything ran. */
export type ConditionScope = {
  /** The schema of the role that the edge leaves; null: there is no output yet. */
  output: JsonSchema | null;
  /** By role. */
  schemas: Readonly<Record<string, JsonSchema>>;
};

export type ConditionProblem = { message: string; at: number };

/** What is wrong with a CEL condition: syntax, unknown names, types, or an answer that is no boolean. */
export const checkCondition = async (
  when: string,
  scope: ConditionScope,
): Promise<ConditionProblem | null> => {
  if (when.length > MAX_CONDITION)
    return { message: `a condition has at most ${MAX_CONDITION} characters`, at: 0 };
  const environment = await typedEnvironment(scope);
  try {
    const result = withinTime("checking the condition", CONDITION_MS, () => environment.check(when));
    if (!result.valid) return problemOf(result.error, scope);
    if (result.type === "bool" || result.type === "dyn") return unknownTrigger(environment.parse(when).ast);
    return { message: `a condition must be true or false; this is of type ${result.type}`, at: 0 };
  } catch (error) {
    return problemOf(error, scope);
  }
};

const problemOf = (error: unknown, { output, schemas }: ConditionScope): ConditionProblem => {
  const summary = summaryOf(error);
  const at = startOf(error);
  const key = /^No such key: (.*)$/.exec(summary)?.[1];
  if (key !== undefined) {
    const names = [...Object.keys(schemas), ...Object.keys((output && celFields(output)) ?? {})];
    return { message: `there is no field or role "${key}" here${didYouMean(key, names)}`, at };
  }
  if (summary === "Unknown variable: output")
    return { message: "there is no output before the first role", at };
  if (summary === "Unexpected token: EOF") return { message: "the condition ends too early", at };
  const variable = /^Unknown variable: (.*)$/.exec(summary)?.[1];
  if (variable === undefined) return { message: summary, at };
  const names = ["output", "steps", "visits", "input", "trigger"];
  return {
    message: `unknown variable "${variable}"${didYouMean(variable, names)} (there are ${names.join(", ")})`,
    at,
  };
};

/** Whether the condition is true. Throws `condition-failed` (fix-input): a missing field, a type that does not fit. */
export const holds = async (when: string, context: ConditionContext): Promise<boolean> => {
  const answer = await evaluate(when, celValue({ ...context }) as Record<string, unknown>);
  if (typeof answer === "boolean") return answer;
  throw failed(
    when,
    `it is ${typeof answer === "object" ? "no boolean" : JSON.stringify(String(answer))}, not true or false`,
  );
};

/** Watching the time costs more than most conditions take: only those that may run long are watched. */
const evaluate = async (when: string, values: Record<string, unknown>): Promise<unknown> => {
  try {
    const { decide, quick } = await parsed(when);
    const work = (): unknown => decide(values);
    return quick ? work() : withinTime("the condition", CONDITION_MS, work);
  } catch (error) {
    throw failed(when, summaryOf(error), error);
  }
};

/** Each in an environment of its own, which learns the types of the values that it has seen. */
const parsed = recent(
  async (when: string) => {
    const environment = (await emptyEnvironment())
      .registerVariable("output", "dyn")
      .registerVariable("steps", "map")
      .registerVariable("visits", "map")
      .registerVariable("input", "string")
      .registerVariable("trigger", "string");
    const decide = environment.parse(when);
    return { decide, quick: isQuick(decide.ast) };
  },
  { most: MOST_PARSED },
);

const failed = (when: string, why: string, cause?: unknown): Error => {
  const error = inputError(
    "condition-failed",
    `the condition ${when} cannot be decided: ${why}`,
    "Mend the edge's `when`; `has(output.field)` asks whether a field is there.",
  );
  if (cause !== undefined) error.cause = cause;
  return error;
};

const emptyEnvironment = async (): Promise<Environment> => {
  const { Environment } = await import("@marcbachmann/cel-js");
  return new Environment({ homogeneousAggregateLiterals: false, limits });
};

const typedEnvironment = async ({ output, schemas }: ConditionScope): Promise<Environment> => {
  const environment = (await emptyEnvironment())
    .registerVariable("input", "string")
    .registerVariable("trigger", "string");
  const roles = Object.keys(schemas);
  const visits = Object.fromEntries(roles.map((role) => [role, "int"]));
  const steps = Object.fromEntries(roles.map((role) => [role, celFields(schemas[role] ?? {}) ?? "dyn"]));
  declare(environment, "visits", visits);
  declare(environment, "steps", steps);
  if (output !== null) declare(environment, "output", celFields(output));
  return environment;
};

const declare = (environment: Environment, name: string, fields: CelFields | null): void => {
  if (fields === null) environment.registerVariable(name, "dyn");
  else environment.registerVariable({ name, schema: fields });
};

/** JSON's numbers in CEL's types: whole ones are `int`, so that `output.count + 1` means something. */
const celValue = (value: unknown): unknown => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, celValue(inner)]));
  return value;
};

const summaryOf = (error: unknown): string =>
  error instanceof Error && "summary" in error ? String(error.summary) : messageOf(error);

const startOf = (error: unknown): number => {
  const range = error instanceof Error && "range" in error ? error.range : undefined;
  return isObject(range) && typeof range.start === "number" ? range.start : 0;
};
