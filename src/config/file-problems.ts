import type { z } from "zod";
import { didYouMean } from "../base/nearest.ts";
import { problemsOf, showProblem, type ValueProblem } from "../base/value-problems.ts";
import type { LocatedProblem, Place, Position } from "../workflow/source/problem.ts";
import { knownKeys } from "./known-keys.ts";

/** What the schema finds wrong with a file's value; an unknown field comes with the one that was probably meant. */
export const fieldProblems = (
  schema: z.ZodType,
  { error, value }: { error: z.ZodError; value: unknown },
): ValueProblem[] =>
  problemsOf(error, value).map((problem) => {
    const { path, message } = problem;
    if (message !== "unknown field") return problem;
    const known = knownKeys(schema, path.slice(0, -1));
    const hint = didYouMean(String(path.at(-1)), known) || `; known are ${known.join(", ")}`;
    return { ...problem, message: `${message}${hint}` };
  });

/** The problems where an editor finds them. */
export const located = (
  problems: readonly ValueProblem[],
  positionOf: (place: Place) => Position,
): LocatedProblem[] =>
  problems.map((problem) => ({
    ...positionOf({ path: problem.path, on: problem.on ?? "value" }),
    message: showProblem(problem),
  }));

/** One line for each, in the file's order: `config.yaml:line:column: field: what is wrong`. */
export const problemLines = (file: string, problems: readonly LocatedProblem[]): string[] =>
  [...problems]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
