import { isObject, type Json, type JsonSchema } from "../../base/json.ts";

type Step = string | number;

const single = ["items", "additionalProperties", "contains", "propertyNames"] as const;
const listed = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const named = ["properties", "patternProperties", "$defs"] as const;

/** The schemas directly inside a schema, each with the way to it. */
export const subschemas = (schema: JsonSchema): { path: readonly Step[]; schema: Json }[] => {
  const found: { path: readonly Step[]; schema: Json }[] = [];
  for (const keyword of single) {
    const inner = schema[keyword];
    if (isObject(inner)) found.push({ path: [keyword], schema: inner as JsonSchema });
  }
  for (const keyword of listed) {
    const inner = schema[keyword];
    if (Array.isArray(inner))
      for (const [index, one] of inner.entries()) found.push({ path: [keyword, index], schema: one });
  }
  for (const keyword of named) {
    const inner = schema[keyword];
    if (isObject(inner))
      for (const [name, one] of Object.entries(inner))
        found.push({ path: [keyword, name], schema: one as Json });
  }
  return found;
};

/** The same schema with each schema in it, innermost first, and itself replaced by what `change` answers. */
export const mapSchemas = (schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema => {
  const copy: JsonSchema = { ...schema };
  const inner = (value: Json): Json => (isObject(value) ? mapSchemas(value as JsonSchema, change) : value);
  for (const keyword of single) if (keyword in copy) copy[keyword] = inner(copy[keyword] ?? null);
  for (const keyword of listed) {
    const list = copy[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map(inner);
  }
  for (const keyword of named) {
    const names = copy[keyword];
    if (isObject(names))
      copy[keyword] = Object.fromEntries(
        Object.entries(names).map(([name, one]) => [name, inner(one as Json)]),
      );
  }
  return change(copy);
};

/** What a reference inside `root` points to. Only `#` and `#/$defs/<name>` are references that we follow. */
export const resolveRef = (ref: string, root: JsonSchema): Json | undefined => {
  if (ref === "#") return root;
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1]?.replaceAll("~1", "/").replaceAll("~0", "~");
  const defs = root.$defs;
  return name !== undefined && isObject(defs) && Object.hasOwn(defs, name) ? (defs[name] as Json) : undefined;
};

/** Where a walk that follows references is: what it is inside of, and how many it may still follow. */
export type Scope = { root: JsonSchema; refs: readonly string[]; budget: { left: number } };

/** Definitions that refer to each other can stand for more schemas than there are atoms. */
const MAX_REFS = 500;

export const scopeOf = (root: JsonSchema): Scope => ({ root, refs: [], budget: { left: MAX_REFS } });

/** The schema that a reference stands for; undefined inside itself, when it leads nowhere, or when it is one too many. */
export const followRef = (ref: string, scope: Scope): { schema: Json; scope: Scope } | undefined => {
  if (scope.refs.includes(ref) || --scope.budget.left < 0) return undefined;
  const schema = resolveRef(ref, scope.root);
  return schema === undefined ? undefined : { schema, scope: { ...scope, refs: [...scope.refs, ref] } };
};

const typedBy: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    "object",
    [
      "properties",
      "required",
      "additionalProperties",
      "patternProperties",
      "propertyNames",
      "minProperties",
      "maxProperties",
    ],
  ],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["pattern", "minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The type that a schema without `type` speaks of: its keywords would say nothing about any other. */
export const impliedType = (schema: JsonSchema): string | undefined =>
  schema.type !== undefined || schema.const !== undefined || schema.enum !== undefined
    ? undefined
    : typedBy.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0];
