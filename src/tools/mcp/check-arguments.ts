import { AppError } from "../../base/errors.ts";
import { isObject, type JsonSchema } from "../../base/json.ts";
import { withinTime } from "../../base/time-limit.ts";
import { problemsOf, showProblem } from "../../base/value-problems.ts";
import { zodOf } from "../../workflow/schema.ts";

type Checked = { ok: true; args: Record<string, unknown> } | { ok: false; problems: string[] };

const CHECK_MS = 500;

/**
 * What a call's arguments have against the tool's schema. Models write null for what they leave out: where that does not fit, it is taken
 * away. A schema that we cannot read, or that takes too long, is left for the server to check.
 */
export const argumentCheck = (schema: JsonSchema): ((args: unknown) => Checked) => {
  let check: ReturnType<typeof zodOf> | null | undefined;
  return (args) => {
    if (!isObject(args)) return { ok: false, problems: ["(the whole): must be an object"] };
    check ??= readable(schema);
    if (check === null) return { ok: true, args };
    const fits = problemsIn(check, args);
    if (fits.length === 0) return { ok: true, args };
    const bare = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
    return problemsIn(check, bare).length === 0
      ? { ok: true, args: bare }
      : { ok: false, problems: fits.slice(0, SHOWN) };
  };
};

const SHOWN = 20;

const readable = (schema: JsonSchema): ReturnType<typeof zodOf> | null => {
  try {
    return withinTime("reading the tool's schema", CHECK_MS, () => zodOf(schema));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
};

const problemsIn = (check: ReturnType<typeof zodOf>, args: unknown): string[] => {
  try {
    const result = withinTime("checking the arguments", CHECK_MS, () => check.safeParse(args));
    return result.success ? [] : problemsOf(result.error, args).map(showProblem);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
};
