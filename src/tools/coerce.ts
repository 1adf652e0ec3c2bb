import { isObject, type JsonSchema } from "../base/json.ts";

/**
 * Arguments nearer to the schema where a model's intention is plain: `"5"` for a number, `"true"` for a boolean, a
 * number for a string, JSON in a string for an object or a list, null for an argument left out. What does not
 * fit stays, for validation to name.
 */
export const coerceArguments = (args: unknown, schema: JsonSchema): unknown => {
  const given = typeof args === "string" ? (parsed(args, isObject) ?? args) : (args ?? {});
  if (!isObject(given) || !isObject(schema.properties)) return given;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const types = typesOf(schema.properties[name]);
    if (value === null && !required.includes(name) && !types.includes("null")) continue;
    result[name] = coerced(value, types);
  }
  return result;
};

/** Empty when the schema allows several types or says none: then nothing is plain. */
const typesOf = (schema: unknown): readonly string[] => {
  if (!isObject(schema)) return [];
  if (typeof schema.type === "string") return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((one) => typeof one === "string") : [];
};

const coerced = (value: unknown, types: readonly string[]): unknown => {
  const [type, ...others] = types.filter((one) => one !== "null");
  if (others.length > 0) return value;
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if ((type === "number" || type === "integer") && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (type === "object") return parsed(text, isObject) ?? value;
  if (type === "array") return parsed(text, Array.isArray) ?? value;
  return value;
};

/** The JSON value in a string, when it is of the kind wanted. */
const parsed = (text: string, fits: (value: unknown) => boolean): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
