import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../base/json.ts";
import type { ValueProblem } from "../base/value-problems.ts";

/** What JSON Schema 2020-12's own schema has against a schema. */
export const metaschemaProblems = async (schema: JsonSchema): Promise<ValueProblem[]> => {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false });
  // `$schema` may name another dialect, which is a problem of its own.
  const { $schema: _, ...plain } = schema;
  if (ajv.validateSchema(plain) === true) return [];
  const byPlace = new Map<string, string[]>();
  for (const error of ajv.errors ?? []) {
    if (["anyOf", "oneOf", "allOf", "if", "$ref", "$dynamicRef"].includes(error.keyword)) continue;
    const messages = byPlace.get(error.instancePath) ?? [];
    byPlace.set(error.instancePath, [...messages, wording(error)]);
  }
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
