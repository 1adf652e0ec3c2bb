import { padEnd } from "./terminal-text.ts";

/** `name   value` lines, names aligned; further lines of a value stand under its first. */
export const renderFields = (
  fields: readonly (readonly [string, string])[],
  { name: paint }: { name: (text: string) => string },
): string => {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => {
      const [first = "", ...more] = value.split("\n");
      return [
        `${paint(padEnd(name, width))}  ${first}`,
        ...more.map((line) => `${" ".repeat(width)}  ${line}`),
      ]
        .map((line) => `${line.trimEnd()}\n`)
        .join("");
    })
    .join("");
};

/** A value as `key: value` lines for people, each cut to `width` columns at a call of `cut`. */
export const valueLines = (value: unknown, line: (text: string) => string): string[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [line(scalar(value))];
  const entries = Object.entries(value);
  if (entries.length === 0) return ["{}"];
  return entries.map(([key, one]) => line(`${key}: ${scalar(one)}`));
};

const scalar = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
