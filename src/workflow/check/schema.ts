import { messageOf } from "../../base/errors.ts";
import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { showPath } from "../../base/value-problems.ts";
import { mayBeOther, shapesOf } from "../json-schema/shape.ts";
import { resolveRef, subschemas } from "../json-schema/walk.ts";
import { zodOf } from "../schema.ts";
import type { Place, Problem } from "../source/problem.ts";
import type { Role } from "../workflow.ts";
import type { MetaschemaCheck } from "./metaschema.ts";

/** What is wrong with a role's output schema, and with what the role publishes. */
export const checkSchema = (
  role: Role,
  { place, metaschema }: { place: Place; metaschema: MetaschemaCheck },
): Problem[] => {
  if (Object.keys(role.schema).length === 0) return [];
  const at = (path: readonly (string | number)[], message: string): Problem => ({
    path: [...place.path, ...path],
    on: "value",
    message,
  });
  const broken = metaschema(role.schema);
  if (broken.length > 0)
    return broken.map(({ path, message }) =>
      at(path, `not a JSON Schema: ${path.length > 0 ? `${showPath(path)} ` : ""}${message}`),
    );
  const found = [...keywordProblems(role.schema)].map(({ path, message }) => at(path, message));
  if (found.length > 0) return found;
  if (mayBeOther(role.schema, role.schema) || shapesOf(role.schema, role.schema).length === 0)
    return [at([], `a role answers an object: its schema needs \`type: object\``)];
  try {
    zodOf(role.schema);
  } catch (error) {
    return [at([], messageOf(error))];
  }
  return publishProblems(role).map((message) => ({
    path: ["roles", role.name, "publish"],
    on: "value",
    message,
  }));
};

const unsupported = [
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
  "dependentSchemas",
  "dependentRequired",
  "$dynamicRef",
];

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

type Found = { path: readonly (string | number)[]; message: string };

function* keywordProblems(root: JsonSchema): Generator<Found> {
  const open: { path: readonly (string | number)[]; schema: Json }[] = [{ path: [], schema: root }];
  for (let next = open.shift(); next; next = open.shift()) {
    const { path, schema } = next;
    if (!isObject(schema)) continue;
    const inner = schema as JsonSchema;
    for (const found of ownProblems(inner, root)) yield { ...found, path: [...path, ...found.path] };
    for (const one of subschemas(inner)) open.push({ ...one, path: [...path, ...one.path] });
  }
}

function* ownProblems(schema: JsonSchema, root: JsonSchema): Generator<Found> {
  for (const keyword of unsupported)
    if (schema[keyword] !== undefined)
      yield { path: [keyword], message: `the keyword \`${keyword}\` is not supported` };
  if (typeof schema.$schema === "string" && schema.$schema !== DIALECT)
    yield { path: ["$schema"], message: `schemas are JSON Schema 2020-12 (${DIALECT})` };
  if (typeof schema.$ref === "string") {
    if (!schema.$ref.startsWith("#"))
      yield {
        path: ["$ref"],
        message: `remote \`$ref\` "${schema.$ref}": only "#/$defs/…" of the same schema is allowed`,
      };
    else if (resolveRef(schema.$ref, root) === undefined)
      yield {
        path: ["$ref"],
        message: `\`$ref\` "${schema.$ref}" leads nowhere; references are "#" and "#/$defs/<name>"`,
      };
  }
  const pattern = patternProblem(schema.pattern);
  if (pattern) yield { path: ["pattern"], message: pattern };
}

const patternProblem = (pattern: Json | undefined): string | null => {
  if (typeof pattern !== "string") return null;
  try {
    new RegExp(pattern);
    return null;
  } catch (error) {
    return messageOf(error);
  }
};

/** The engine makes a pull request of `title` and `body`, and a review of `body`. */
const publishProblems = ({ name, schema, publish }: Role): string[] => {
  if (publish === null) return [];
  const shapes = shapesOf(schema, schema);
  const needed = { "pull-request": ["title", "body"], review: ["body"] }[publish];
  const lacking = needed.filter((field) =>
    shapes.some(({ properties, required }) => {
      const property = properties.get(field);
      return !required.has(field) || !isObject(property) || property.type !== "string";
    }),
  );
  return lacking.length === 0
    ? []
    : [
        `role "${name}" publishes a ${publish.replace("-", " ")}: its schema must require ${lacking.map((field) => `\`${field}\``).join(" and ")} as string`,
      ];
};
