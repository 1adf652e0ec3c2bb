import { isObject } from "./json.ts";

/** Fields that speak for themselves beside the others: a path and what was done to it. */
const CODE = new Set(["path", "command"]);
const UNNAMED = new Set(["path", "what", "why", "command", "result", "note", "name"]);

/**
 * A JSON value in words, on one line: lists with semicolons, objects as `name value`, nothing for null. `code` marks
 * paths and commands.
 */
export const describeValue = (
  value: unknown,
  { code = same }: { code?: (text: string) => string } = {},
): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.replace(/\s*\n\s*/g, " ");
  if (Array.isArray(value))
    return value
      .map((item) => describeValue(item, { code }))
      .filter(Boolean)
      .join("; ");
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, part]) => [key, describeValue(part, { code })] as const)
    .filter(([, text]) => text !== "")
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([key, text]) => (UNNAMED.has(key) ? (CODE.has(key) ? code(text) : text) : `${key} ${text}`))
    .join(", ");
};

const same = (text: string): string => text;

/** The subject first, as people would say it. */
const rank = (key: string): number => (key === "path" || key === "command" || key === "name" ? 0 : 1);
