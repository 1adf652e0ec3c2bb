import type { Environment } from "./environment.ts";

/** What belongs together: each part with the variables that may give it, the preferred name first. */
export type Parts = Readonly<Record<string, readonly (keyof Environment)[]>>;

/** A line for each part that is missing though another is there. `bad`: variables that are set but were refused. */
export const missingParts = (parts: Parts, environment: Environment, bad: ReadonlySet<string>): string[] => {
  const found = Object.values(parts).map((names) =>
    names.find((name) => environment[name] !== undefined || bad.has(name)),
  );
  const there = found.filter((name) => name !== undefined);
  if (there.length === 0) return [];
  const names = `${there.join(" and ")} ${there.length === 1 ? "is" : "are"} set`;
  return Object.values(parts)
    .filter((_, index) => found[index] === undefined)
    .map(([name]) => `${name}: missing, though ${names}`);
};
