import type { ObjectSchema } from "@marcbachmann/cel-js";
import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { mayBeOther, shapesOf } from "./shape.ts";

/** Fields and their CEL types, as cel-js declares them. */
export type CelFields = ObjectSchema;

const MAX_DEPTH = 6;
/** Fields that refer to each other make more types than anybody asks for; the rest is `dyn`. */
const MAX_FIELDS = 2000;

/** CEL's types for the fields of an object schema; null when its fields are not known. */
export const celFields = (schema: JsonSchema): CelFields | null =>
  fieldsOf(schema, { root: schema, depth: 0, budget: { left: MAX_FIELDS } });

type Scope = { root: JsonSchema; depth: number; budget: { left: number } };

const fieldsOf = (schema: Json, { root, depth, budget }: Scope): CelFields | null => {
  const shapes = shapesOf(schema, root);
  const known = new Map<string, Json[]>();
  for (const shape of shapes)
    for (const [name, property] of shape.properties) known.set(name, [...(known.get(name) ?? []), property]);
  budget.left -= known.size;
  if (
    depth > MAX_DEPTH ||
    budget.left < 0 ||
    known.size === 0 ||
    shapes.some(({ properties }) => properties.size === 0)
  )
    return null;
  const types = [...known].map(([name, properties]) => [
    name,
    typeOf(properties, { root, depth: depth + 1, budget }),
  ]);
  return Object.fromEntries(types) as CelFields;
};

/** The type that all alternatives of a field have; `dyn` when they differ or one is not known. */
const typeOf = (properties: Json[], scope: Scope): string | CelFields => {
  const types = properties.map((property) => celType(property, scope));
  const [first] = types;
  if (first === undefined || types.some((type) => type !== first))
    return types.length === 1 && first ? first : "dyn";
  return first;
};

const scalars: Readonly<Record<string, string>> = { string: "string", integer: "int", boolean: "bool" };

const celType = (schema: Json, scope: Scope): string | CelFields => {
  if (!isObject(schema)) return "dyn";
  const values =
    schema.const !== undefined ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : null;
  if (values) return values.every((value) => typeof value === "string") ? "string" : "dyn";
  if (typeof schema.type === "string" && scalars[schema.type]) return scalars[schema.type] ?? "dyn";
  if (schema.type === "array") return "list";
  return mayBeOther(schema as JsonSchema, scope.root)
    ? "dyn"
    : (fieldsOf(schema as JsonSchema, scope) ?? "dyn");
};
