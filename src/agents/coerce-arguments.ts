import { isObject } from "../base/json.ts";

/**
 * Brings values to the types that a JSON Schema asks for where a model wrote the right value in the wrong type:
 * `"5"` for 5, `"true"` for true, 5 for `"5"`, and a list or an object as JSON text. All else is left as it is,
 * for validation to judge.
 */
export const coerceArguments = (value: unknown, schema: unknown): unknown => {
  if (!isObject(schema)) return value;
  const branch = branchFor(value, schema);
  if (branch) return coerceArguments(value, branch);
  const typed = coerceType(value, typesOf(schema));
  if (isObject(typed) && isObject(schema.properties)) return coerceProperties(typed, schema.properties);
  if (Array.isArray(typed) && isObject(schema.items)) {
    return typed.map((item) => coerceArguments(item, schema.items));
  }
  return typed;
};

const coerceProperties = (
  value: Record<string, unknown>,
  properties: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      Object.hasOwn(properties, key) ? coerceArguments(item, properties[key]) : item,
    ]),
  );

const coerceType = (value: unknown, types: readonly string[]): unknown => {
  if (types.length === 0 || types.some((type) => isOfType(value, type))) return value;
  if (typeof value === "string") return fromText(value, types);
  if (types.includes("string") && (typeof value === "number" || typeof value === "boolean")) {
    return String(value);
  }
  return value;
};

const fromText = (text: string, types: readonly string[]): unknown => {
  const bare = text.trim();
  if ((types.includes("number") || types.includes("integer")) && /^-?\d+(\.\d+)?$/.test(bare)) {
    return Number(bare);
  }
  if (types.includes("boolean") && /^(true|false)$/i.test(bare)) return bare.toLowerCase() === "true";
  if (types.includes("null") && bare === "null") return null;
  if (!/^[[{]/.test(bare)) return text;
  try {
    const parsed: unknown = JSON.parse(bare);
    return types.some((type) => isOfType(parsed, type)) ? parsed : text;
  } catch {
    return text;
  }
};

const typesOf = (schema: Record<string, unknown>): readonly string[] => {
  if (typeof schema.type === "string") return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((type) => typeof type === "string") : [];
};

const isOfType = (value: unknown, type: string): boolean => {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
};

/** The alternative that a value was written for: the only one, or the one whose constants it carries. */
const branchFor = (value: unknown, schema: Record<string, unknown>): unknown => {
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches === undefined) return undefined;
  const fitting = branches.filter((branch) => mayFit(value, branch));
  return fitting.length === 1 || !isObject(value) ? fitting[0] : fitting.find((branch) => isMarked(branch));
};

const mayFit = (value: unknown, branch: unknown): boolean => {
  if (!isObject(branch)) return false;
  const types = typesOf(branch);
  const typed = coerceType(value, types);
  if (types.length > 0 && !types.some((type) => isOfType(typed, type))) return false;
  return Object.entries(isObject(branch.properties) ? branch.properties : {}).every(
    ([key, property]) =>
      !isObject(property) || !("const" in property) || (isObject(typed) && typed[key] === property.const),
  );
};

const isMarked = (branch: unknown): boolean =>
  isObject(branch) &&
  isObject(branch.properties) &&
  Object.values(branch.properties).some((property) => isObject(property) && "const" in property);
