import type { Schema } from "./json-schemas.ts";

const code = (value: unknown): string => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

/** What may stand there, in words: `whole number from 1 or null`. */
export const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return eitherOf(schema.enum.map(code));
  if (schema.anyOf !== undefined) return eitherOf(schema.anyOf.map(typeOf));
  if (typeof schema.type !== "string")
    return eitherOf((schema.type ?? []).map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case "null":
      return code(null);
    case "string":
      return schema.format === "uri" ? "address" : "text";
    case "integer":
      return `whole number${boundsOf(schema)}`;
    case "number":
      return `number${boundsOf(schema)}`;
    case "array":
      return `list of ${typeOf(schema.items ?? {})}`;
    case "object":
      return objectType(schema);
    default:
      return schema.type;
  }
};

const objectType = ({ properties, additionalProperties: values }: Schema): string => {
  if (properties !== undefined) return "section";
  return typeof values === "object" ? `map of ${typeOf(values)}` : "map";
};

const eitherOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

const boundsOf = ({ minimum, exclusiveMinimum, maximum }: Schema): string => {
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum !== undefined && most !== undefined) return ` from ${minimum} to ${most}`;
  return minimum === undefined ? "" : ` from ${minimum}`;
};

/** What holds where nothing is written. */
export const defaultOf = ({ default: value }: Schema, { required }: { required: boolean }): string => {
  if (required) return "must be given";
  if (value === undefined) return "";
  return Array.isArray(value) && value.length > 0 ? value.map(code).join(", ") : code(value);
};
