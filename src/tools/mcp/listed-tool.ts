import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { terminalText } from "../terminal-text.ts";
import { cutText } from "../text-format.ts";

/** A tool as a server lists it, made fit to be shown to a model. */
export type ListedTool = {
  /** As the server calls it. */
  name: string;
  description: string;
  parameters: JsonSchema;
  effect: "read" | "write";
};

/** What is read of a server's own list. */
type Foreign = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: unknown;
  annotations?: { readOnlyHint?: boolean | undefined } | undefined;
};

const MAX_DESCRIPTION = 2_000;
const MAX_SCHEMA = 20_000;
const MAX_DEPTH = 32;
const ANY: JsonSchema = { type: "object", properties: {}, additionalProperties: true };
const LEFT_OUT = "(What arguments it takes is too long to be shown.)";

/**
 * Bounded, since every request has it: a description by its length, a schema as a whole, because a part of it would say something
 * else. A tool that does not say that it only reads counts as one that writes.
 */
export const listedTool = ({ name, title, description, inputSchema, annotations }: Foreign): ListedTool => {
  const said = shown(description?.trim() || title || name);
  const parameters = parametersOf(inputSchema);
  return {
    name,
    description: parameters === null ? `${said}\n${LEFT_OUT}`.trim() : said,
    parameters: parameters ?? ANY,
    effect: annotations?.readOnlyHint === true ? "read" : "write",
  };
};

const shown = (text: string): string => {
  const clean = terminalText(text.slice(0, 10 * MAX_DESCRIPTION))
    .trim()
    .toWellFormed();
  return clean.length <= MAX_DESCRIPTION ? clean : `${cutText(clean, MAX_DESCRIPTION - 1)}…`;
};

/** Null when it is too long, too deep, or none. */
const parametersOf = (schema: unknown): JsonSchema | null => {
  if (!isObject(schema) || isDeep(schema, MAX_DEPTH)) return null;
  const { $schema: _, ...own } = clean(schema as JsonSchema) as JsonSchema;
  const whole = { ...own, type: "object", properties: isObject(own.properties) ? own.properties : {} };
  return JSON.stringify(whole).length > MAX_SCHEMA ? null : (whole as JsonSchema);
};

const isDeep = (value: unknown, left: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1));
};

const clean = (value: Json): Json => {
  if (typeof value === "string") return terminalText(value).toWellFormed();
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner as Json)]));
};
