import { isObject } from "./json.ts";

/** Fields that speak for themselves beside the others: a path and what was done to it. */
const UNNAMED = new Set([
  ...["path", "what", "why", "command", "result", "note", "name"],
  ...["problem", "text", "severity", "verdict"],
]);
const CODE = new Set(["path", "command", "install", "test", "lint", "format", "build"]);
/** As people would say it: the subject, which part of it, how it is, and what there is to say; then everything else. */
const ORDER = [
  ["path", "command", "name"],
  ["line", "conversation"],
  ["severity", "verdict", "result"],
  ["what", "problem", "text"],
  ["scenario"],
];

/**
 * A JSON value in words, on one line: lists with semicolons, objects as `name value` with commas, or with full stops where the
 * values are sentences; nothing for null. `code` marks paths and commands.
 */
export const describeValue = (
  value: unknown,
  { code = same }: { code?: (text: string) => string } = {},
): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string")
    return value.replace(/\s+/g, (space) => (space.includes("\n") ? " " : space));
  if (Array.isArray(value))
    return value
      .map((item) => describeValue(item, { code }))
      .filter(Boolean)
      .join("; ");
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, part]) => ({ key, text: describeValue(part, { code }) }))
    .filter(({ text }) => text !== "")
    .sort((a, b) => rank(a.key) - rank(b.key))
    .map(({ key, text }) => ({ key, text: isCode(key, text) ? code(text) : text }))
    .reduce(withPart, "");
};

const same = (text: string): string => text;

const rank = (key: string): number => {
  const at = ORDER.findIndex((keys) => keys.includes(key));
  return at === -1 ? ORDER.length : at;
};

const isSentence = (text: string): boolean => /[.!?]$/.test(text);

const isCode = (key: string, text: string): boolean =>
  CODE.has(key) && !text.includes("`") && (UNNAMED.has(key) || !isSentence(text));

const withPart = (before: string, { key, text }: { key: string; text: string }): string => {
  if (UNNAMED.has(key)) return joined(before, text, isSentence(text) ? ": " : ", ");
  if (isSentence(text) || isSentence(before))
    return joined(before, `${key.charAt(0).toUpperCase()}${key.slice(1)}: ${text}`, ". ");
  return joined(before, `${key} ${text}`, ", ");
};

const joined = (before: string, text: string, by: string): string =>
  before === "" ? text : `${before}${isSentence(before) ? " " : by}${text}`;
