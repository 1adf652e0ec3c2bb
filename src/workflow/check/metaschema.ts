import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../../base/json.ts";
import type { ValueProblem } from "../../base/value-problems.ts";

/** Tells what JSON Schema 2020-12's own schema has against a schema. */
export type MetaschemaCheck = (schema: JsonSchema) => ValueProblem[];

/** Makes the check once for all schemas of a file: reading the metaschema takes longer than using it. */
export const metaschemaCheck = async (): Promise<MetaschemaCheck> => {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false });
  return (schema) => {
    // `$schema` may name another dialect, which is a problem of its own.
    const { $schema: _, ...plain } = schema;
    return ajv.validateSchema(plain) === true ? [] : problemsOf(ajv.errors ?? []);
  };
};

/** One problem per place: of alternatives that all fail, each says what it wants. */
const problemsOf = (errors: readonly ErrorObject[]): ValueProblem[] => {
  const byPlace = new Map<string, string[]>();
  for (const error of errors) {
    if (["anyOf", "oneOf", "allOf", "if", "$ref", "$dynamicRef"].includes(error.keyword)) continue;
    const messages = byPlace.get(error.instancePath) ?? [];
    byPlace.set(error.instancePath, [...messages, wording(error)]);
  }
  if (byPlace.size === 0) return [{ path: [], message: "is not valid" }];
  return [...byPlace].map(([pointer, messages]) => ({
    path: pathOf(pointer),
    message: [...new Set(messages)].join(", or "),
  }));
};

const wording = ({ keyword, params, message }: ErrorObject): string =>
  keyword === "enum" && Array.isArray(params.allowedValues)
    ? `must be one of ${params.allowedValues.join(", ")}`
    : (message ?? keyword);

const pathOf = (pointer: string): (string | number)[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
