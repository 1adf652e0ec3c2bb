import { isObject, type Json, type JsonSchema } from "../../base/json.ts";

/** Regular expressions, comparisons of every pair, and schemas that may contain themselves. */
const costly: ReadonlySet<string> = new Set([
  "pattern",
  "patternProperties",
  "format",
  "uniqueItems",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
]);

/** Whether checking a value takes no longer than reading it, once for each schema within that speaks of it. */
export const isQuickToCheck = (schema: JsonSchema): boolean => !hasCostly(schema);

/** A property that is named like a keyword counts as one: that only costs time. */
const hasCostly = (value: Json): boolean => {
  if (Array.isArray(value)) return value.some(hasCostly);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, inner]) => costly.has(key) || hasCostly(inner as Json));
};
