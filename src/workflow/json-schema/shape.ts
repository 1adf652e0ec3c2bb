import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { followRef, type Scope, scopeOf } from "./walk.ts";

/** The fields that an object may have, by one alternative of its schema. */
export type Shape = {
  properties: ReadonlyMap<string, Json>;
  required: ReadonlySet<string>;
  /** It may have fields that `properties` does not name. */
  open: boolean;
};

const MAX_SHAPES = 64;
const anything: Shape = { properties: new Map(), required: new Set(), open: true };

/** Every alternative of a schema that is an object: one per branch of `oneOf` and `anyOf`, none for other types. */
export const shapesOf = (schema: Json, root: JsonSchema): Shape[] => alternatives(schema, scopeOf(root));

/** True when a value that fits the schema may be something else than an object. */
export const mayBeOther = (schema: Json, root: JsonSchema): boolean => mayDiffer(schema, scopeOf(root));

const mayDiffer = (schema: Json, scope: Scope): boolean => {
  if (!isObject(schema)) return schema !== false;
  if (typeof schema.$ref === "string") {
    const target = followRef(schema.$ref, scope);
    return target === undefined || mayDiffer(target.schema, target.scope);
  }
  if (schema.type !== undefined) return schema.type !== "object";
  if (schema.const !== undefined) return !isObject(schema.const);
  if (Array.isArray(schema.enum)) return !schema.enum.every(isObject);
  const branches = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(branches)) return branches.some((branch) => mayDiffer(branch as Json, scope));
  if (Array.isArray(schema.allOf)) return schema.allOf.every((part) => mayDiffer(part as Json, scope));
  return !("properties" in schema || "required" in schema);
};

const alternatives = (schema: Json, scope: Scope): Shape[] => {
  if (!isObject(schema)) return schema === false ? [] : [anything];
  if (typeof schema.$ref === "string") {
    const target = followRef(schema.$ref, scope);
    return target === undefined ? [anything] : alternatives(target.schema, target.scope);
  }
  if (!mayBeObject(schema as JsonSchema)) return [];
  let shapes = [ownShape(schema as JsonSchema)];
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : [])
    shapes = combine(shapes, alternatives(part as Json, scope));
  for (const branches of [schema.oneOf, schema.anyOf])
    if (Array.isArray(branches))
      shapes = combine(
        shapes,
        branches.flatMap((one) => alternatives(one as Json, scope)),
      );
  return shapes;
};

const mayBeObject = ({ type, const: value, enum: values }: JsonSchema): boolean => {
  if (value !== undefined) return isObject(value);
  if (Array.isArray(values)) return values.some(isObject);
  if (Array.isArray(type)) return type.includes("object");
  return type === undefined || type === "object";
};

const ownShape = (schema: JsonSchema): Shape => ({
  properties: new Map(isObject(schema.properties) ? Object.entries(schema.properties as JsonSchema) : []),
  required: new Set(Array.isArray(schema.required) ? schema.required.map(String) : []),
  open: schema.additionalProperties !== false,
});

const combine = (left: Shape[], right: Shape[]): Shape[] => {
  if (left.length * right.length > MAX_SHAPES) return [anything];
  return left.flatMap((a) =>
    right.map((b) => ({
      properties: new Map([...a.properties, ...b.properties]),
      required: new Set([...a.required, ...b.required]),
      open: a.open && b.open,
    })),
  );
};
