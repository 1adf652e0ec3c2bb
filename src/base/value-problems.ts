import type { z } from "zod";

/** What is wrong with a value, and where in it. */
export type ValueProblem = {
  path: readonly (string | number)[];
  message: string;
  /** Set when the last step of the path is itself wrong, not what it leads to. */
  on?: "key";
};

type Issue = z.core.$ZodIssue;

/** zod's issues in words for people and models: each says what the value must be. */
export const problemsOf = (error: z.ZodError, value: unknown): ValueProblem[] =>
  error.issues.flatMap((issue) => problemsOfIssue(issue, value));

/** `changes[0].path`; `(the whole)` for the root. */
export const showPath = (path: readonly (string | number)[]): string => {
  const text = path
    .map((key) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
  return text === "" ? "(the whole)" : text.replace(/^\./, "");
};

export const showProblem = ({ path, message }: ValueProblem): string => `${showPath(path)}: ${message}`;

const problemsOfIssue = (issue: Issue, value: unknown): ValueProblem[] => {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], message: "unknown field", on: "key" }));
  if (issue.code === "invalid_key")
    return [{ path, message: issue.issues[0]?.message ?? issue.message, on: "key" }];
  if (issue.code === "invalid_union") return problemsOfUnion(issue, { path, value });
  return [{ path, message: wording(issue, valueAt(value, path)) }];
};

/** The branch that came furthest has the problem; when none got inside, the value is of the wrong kind. */
const problemsOfUnion = (
  issue: Extract<Issue, { code: "invalid_union" }>,
  { path, value }: { path: (string | number)[]; value: unknown },
): ValueProblem[] => {
  const here = valueAt(value, path);
  const branches = issue.errors.map((issues) => issues.flatMap((inner) => problemsOfIssue(inner, here)));
  if (branches.length === 0) return [{ path, message: wording(issue, here) }];
  const inside = branches.filter((problems) => problems.every((problem) => problem.path.length > 0));
  const best = inside.sort((a, b) => a.length - b.length)[0];
  if (best) return best.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  const wants = branches
    .map((problems) => problems[0]?.message ?? "")
    .map((text) => text.replace(/^(missing, )?must be /, ""));
  return [
    { path, message: `${here === undefined ? "missing, " : ""}must be ${[...new Set(wants)].join(" or ")}` },
  ];
};

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const units: Readonly<Record<string, string>> = { string: " characters", array: " items", object: " fields" };

const wording = (issue: Issue, value: unknown): string => {
  switch (issue.code) {
    case "invalid_type":
      return missing(value, `must be ${kinds[issue.expected] ?? issue.expected}`);
    case "invalid_value": {
      const values = issue.values.map((one) => JSON.stringify(one) ?? String(one));
      return missing(value, `must be ${values.length === 1 ? "" : "one of "}${values.join(", ")}`);
    }
    case "too_small":
      if (issue.origin === "string" && Number(issue.minimum) === 1) return "must not be empty";
      return `must ${bound(issue.origin)}${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${units[issue.origin] ?? ""}`;
    case "too_big":
      return `must ${bound(issue.origin)}${issue.inclusive ? "at most" : "less than"} ${issue.maximum}${units[issue.origin] ?? ""}`;
    case "invalid_format":
      if (!issue.message.startsWith("Invalid ")) return issue.message;
      return issue.format === "regex" ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return missing(value, "fits more than one of the alternatives");
    default:
      return issue.message;
  }
};

const bound = (origin: string): string => (units[origin] === undefined ? "be " : "have ");
const missing = (value: unknown, message: string): string =>
  value === undefined ? `missing, ${message}` : message;

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as Record<string | number, unknown>)[key];
  }, value);
