import { isObject, type Json, type JsonSchema } from "../base/json.ts";
import type { RoleDefinition, WorkflowDefinition } from "./definition.ts";

const STATUS = "$status";
/** What prompts call the text that stood below an answer's fields. */
export const BODY = "_body";

/** The schemas of roles in the status form, with what files of that form take for granted. */
export const statusSchema = (
  { graph }: WorkflowDefinition,
  { name, role }: { name: string; role: RoleDefinition },
): JsonSchema => {
  const schema = requiringStatus((role.schema ?? role.frontmatter ?? {}) as JsonSchema);
  const targets = Object.values(graph?.[name] ?? {});
  return targets.some(({ prompt, location }) => usesBody(prompt) || usesBody(location))
    ? withBody(schema)
    : schema;
};

/** The status routes: where it is described it has to be there. */
const requiringStatus = (schema: JsonSchema): JsonSchema => {
  const copy = withAlternatives(schema, requiringStatus);
  return isObject(copy.properties) && isObject(copy.properties[STATUS]) ? requiring(copy, STATUS) : copy;
};

const usesBody = (template: string | null | undefined): boolean =>
  template != null && /\{[{%][^}]{0,500}(?<![\w.-])_body\b/.test(template);

const withBody = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf)) return withAlternatives(schema, withBody);
  if (!isObject(schema.properties) || BODY in schema.properties) return schema;
  const properties = { ...(schema.properties as JsonSchema), [BODY]: bodyField };
  return requiring({ ...schema, properties }, BODY);
};

const bodyField: JsonSchema = {
  type: "string",
  description: "The text of your answer, in Markdown: whoever comes next reads it.",
};

const withAlternatives = (schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema => {
  const copy = { ...schema };
  for (const keyword of ["oneOf", "anyOf"]) {
    const branches = copy[keyword];
    if (Array.isArray(branches))
      copy[keyword] = branches.map((one): Json => (isObject(one) ? change(one as JsonSchema) : one));
  }
  return copy;
};

/** What is no list of names is told about by the checks. */
const requiring = (schema: JsonSchema, name: string): JsonSchema => {
  const required = schema.required ?? [];
  if (!Array.isArray(required) || required.includes(name)) return schema;
  return { ...schema, required: [...required, name] };
};
