/** A spot in a workflow file: the value at `path`, or the key that names it. */
export type Place = { path: readonly (string | number)[]; on: "key" | "value" };

/** Something wrong with a workflow. `at` counts characters into the text at the place: a template, a condition. */
export type Problem = Place & { message: string; at?: number };

/** Both count from 1; columns in UTF-16 code units. */
export type Position = { line: number; column: number };

/** A problem where an editor finds it. */
export type LocatedProblem = Position & { message: string };

export const atValue = (...path: (string | number)[]): Place => ({ path, on: "value" });
export const atKey = (...path: (string | number)[]): Place => ({ path, on: "key" });
