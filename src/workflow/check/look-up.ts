import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { mayBeOther, type Shape, shapesOf } from "../json-schema/shape.ts";

export type LookUp =
  /** Every value that fits the schema has it. */
  | { kind: "provided" }
  /** Some have it. */
  | { kind: "optional" }
  /** None has it: the name at `depth`, with the names that there are instead. */
  | { kind: "unknown"; name: string; depth: number; known: readonly string[] };

/** Whether a value has what a template's path leads to, by its schema's alternatives. */
export const lookUp = (
  path: readonly (string | number)[],
  { shapes, root, depth = 0 }: { shapes: readonly Shape[]; root: JsonSchema; depth?: number },
): LookUp => {
  const [step, ...rest] = path;
  if (step === undefined) return { kind: "provided" };
  const name = String(step);
  const holders = shapes.filter((shape) => shape.properties.has(name));
  const free = shapes.filter((shape) => shape.open && shape.properties.size === 0);
  if (free.length > 0) return { kind: "provided" };
  if (holders.length === 0)
    return {
      kind: "unknown",
      name,
      depth,
      known: shapes.flatMap(({ properties }) => [...properties.keys()]),
    };
  const always = holders.length === shapes.length && holders.every((shape) => shape.required.has(name));
  const inner = holders.map(({ properties }) =>
    lookInside(properties.get(name) ?? true, { path: rest, root, depth: depth + 1 }),
  );
  return weakest(inner, always);
};

/** Alternatives together: what one of them lacks is optional, what all lack is unknown. */
const weakest = (found: readonly LookUp[], always: boolean): LookUp => {
  const unknown = found.filter((one) => one.kind === "unknown");
  if (unknown[0] && unknown.length === found.length) return unknown[0];
  return always && found.every((one) => one.kind === "provided")
    ? { kind: "provided" }
    : { kind: "optional" };
};

const lookInside = (
  schema: Json,
  { path, root, depth }: { path: readonly (string | number)[]; root: JsonSchema; depth: number },
): LookUp => {
  const [step, ...rest] = path;
  if (step === undefined || !isObject(schema)) return { kind: "provided" };
  const { type, items } = schema as JsonSchema;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("array") || types.includes("string")) {
    if (step === "size" && rest.length === 0) return { kind: types.length === 1 ? "provided" : "optional" };
    if (types.includes("array") && (typeof step === "number" || step === "first" || step === "last"))
      return weakest([lookInside(items ?? true, { path: rest, root, depth: depth + 1 })], false);
  }
  const shapes = shapesOf(schema as JsonSchema, root);
  if (shapes.length === 0) return { kind: "unknown", name: String(step), depth, known: [] };
  return weakest([lookUp(path, { shapes, root, depth })], !mayBeOther(schema as JsonSchema, root));
};
