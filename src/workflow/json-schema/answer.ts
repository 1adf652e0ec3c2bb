import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { SUSPEND } from "../workflow.ts";
import { type Shape, shapesOf } from "./shape.ts";

const STATUS = "$status";

/**
 * The schema that a model is shown: the author's, plus the two fields of a suspension. Model APIs take only a plain
 * object at the top, so alternatives are laid together there; the output is checked against the author's own.
 */
export const answerSchema = (schema: JsonSchema): JsonSchema => {
  const { oneOf, anyOf, allOf, $schema: _, ...base } = schema;
  const composed =
    [oneOf, anyOf, allOf].some((keyword) => keyword !== undefined) || schema.$ref !== undefined;
  const own = composed ? flattened(base, shapesOf(schema, schema)) : base;
  const properties = isObject(own.properties) ? (own.properties as JsonSchema) : {};
  return {
    ...own,
    type: "object",
    properties: {
      ...properties,
      [STATUS]: statusField(properties[STATUS]),
      reason: reasonField(properties.reason),
    },
  };
};

const flattened = ({ $ref: _, ...base }: JsonSchema, shapes: Shape[]): JsonSchema => {
  const names = new Set(shapes.flatMap((shape) => [...shape.properties.keys()]));
  const required = [...names].filter((name) => shapes.every((shape) => shape.required.has(name)));
  const properties: JsonSchema = {};
  for (const name of names)
    properties[name] = together(shapes.flatMap((shape) => shape.properties.get(name) ?? []));
  const conditional = shapes.map(conditions).filter((text) => text !== "");
  const description = [base.description, ...new Set(conditional)]
    .filter((text) => typeof text === "string")
    .join("\n");
  return { ...base, properties, required, ...(description === "" ? {} : { description }) };
};

/** `With $status "ready": plan, files.` — what a flat list of fields cannot say. */
const conditions = ({ properties, required }: Shape): string => {
  const status = properties.get(STATUS) ?? properties.get("status");
  const fields = [...required].filter((name) => name !== STATUS && name !== "status");
  if (!isObject(status) || status.const === undefined || fields.length === 0) return "";
  return `With ${properties.has(STATUS) ? STATUS : "status"} ${JSON.stringify(status.const)}: ${fields.join(", ")}.`;
};

const together = (schemas: Json[]): Json => {
  const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  if (different.length === 1) return different[0] ?? true;
  const values = different.map((one) => (isObject(one) && one.const !== undefined ? one.const : undefined));
  if (values.every((value) => value !== undefined)) return { enum: values as Json[] };
  return { anyOf: different };
};

const statusField = (own: Json | undefined): Json => {
  const note = `"${SUSPEND}" when a person must decide before you can go on; then give the reason.`;
  if (!isObject(own)) return { type: "string", enum: [SUSPEND], description: `Leave out, or ${note}` };
  const values =
    own.const !== undefined ? [own.const as Json] : Array.isArray(own.enum) ? (own.enum as Json[]) : null;
  if (values === null) return own as JsonSchema;
  const { const: _, enum: __, ...rest } = own as JsonSchema;
  const description = [rest.description, note].filter((text) => typeof text === "string").join(" ");
  return { ...rest, enum: [...values, SUSPEND], description };
};

const reasonField = (own: Json | undefined): Json =>
  own ?? {
    type: "string",
    description: `With $status "${SUSPEND}": what a person has to decide or to mend.`,
  };
