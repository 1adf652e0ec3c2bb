import { describeValue } from "../base/describe-value.ts";
import { isObject } from "../base/json.ts";
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

/** A value as `key: value` lines for people, its summary first, what is empty left out; `line` cuts each. */
export const valueLines = (value: unknown, line: (text: string) => string): string[] => {
  if (!isObject(value)) return [line(describeValue(value))];
  const entries = Object.entries(value)
    .map(([key, one]) => [key, describeValue(one)] as const)
    .filter(([, text]) => text !== "")
    .sort(([a], [b]) => Number(b === "summary") - Number(a === "summary"));
  return entries.length === 0 ? ["{}"] : entries.map(([key, text]) => line(`${key}: ${text}`));
};
