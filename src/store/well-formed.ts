import { isObject } from "../base/json.ts";

/**
 * The same value with every half of a surrogate pair replaced by U+FFFD. Text that was cut at a length may end in one;
 * UTF-8, and so RFC 8785, cannot express it.
 */
export const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
  );
};
