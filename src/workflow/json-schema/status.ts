import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { SUSPEND } from "../workflow.ts";
import { type Shape, shapesOf } from "./shape.ts";
import { followRef, type Scope, scopeOf } from "./walk.ts";

/** The field of a role's output that says how its work went, with the values that it may have. */
export type Statuses = { field: "$status" | "status"; values: readonly string[] };

/** null when the output has no such field, or the field is free text. */
export const statusesOf = (schema: JsonSchema): Statuses | null => {
  const shapes = shapesOf(schema, schema);
  for (const field of ["$status", "status"] as const) {
    const values = shapes.map((shape) => valuesIn(shape, field, schema));
    if (values.length === 0 || values.some((one) => one === null)) continue;
    const all = new Set(values.flatMap((one) => one ?? []));
    all.delete(SUSPEND);
    return { field, values: [...all] };
  }
  return null;
};

/** The alternatives of the output that may have this status. */
export const shapesWith = (schema: JsonSchema, status: { field: string; value: string }): Shape[] =>
  shapesOf(schema, schema).filter((shape) => {
    const values = valuesIn(shape, status.field, schema);
    return values === null || values.includes(status.value);
  });

const valuesIn = (shape: Shape, field: string, root: JsonSchema): string[] | null => {
  const property = shape.properties.get(field);
  return property === undefined || !shape.required.has(field) ? null : constants(property, scopeOf(root));
};

/** The strings that fit a schema; null when they cannot be counted. */
const constants = (schema: Json, scope: Scope): string[] | null => {
  if (!isObject(schema)) return null;
  if (typeof schema.const === "string") return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum.filter((one) => typeof one === "string");
  if (typeof schema.$ref === "string") {
    const target = followRef(schema.$ref, scope);
    return target === undefined ? null : constants(target.schema, target.scope);
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(branches)) return null;
  const values = branches.map((branch) => constants(branch as Json, scope));
  return values.some((one) => one === null) ? null : values.flatMap((one) => one ?? []);
};
