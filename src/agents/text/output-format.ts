import { z } from "zod";
import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { SUSPEND } from "../../workflow/workflow.ts";

/** Of a nested example; what lies deeper is in the schema, which is given as well. */
const MAX_DEPTH = 4;

/** Tells an agent that answers text how to give its output: with an example block, and the schema itself. */
export const outputFormatInstruction = (schema: z.ZodType): string => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  return [
    "# Your answer",
    "Do the work first. Then begin your last message with YAML frontmatter, with nothing before it and no fence around it:",
    `---\n${exampleOf(shape)}\n---`,
    "Put your own values in. Text with a colon, a quote or a leading special character goes in double quotes; text of several lines after `|`, indented. Below the second `---` you may write for people; only the frontmatter counts. It has to fit this JSON Schema:",
    `\`\`\`json\n${JSON.stringify(shape)}\n\`\`\``,
    "If you cannot go on without a person (access is missing, demands contradict each other, the decision is not yours), do not pretend. Answer instead:",
    `---\n$status: ${SUSPEND}\nreason: "What is needed, and from whom."\n---`,
  ].join("\n\n");
};

/** A block of YAML with a value of the right kind for each field; JSON is YAML as well. */
const exampleOf = (schema: JsonSchema): string => {
  const example = exampleValue(schema, { root: schema, depth: 0 });
  if (!isObject(example)) return JSON.stringify(example);
  return Object.entries(example)
    .map(
      ([name, value]) => `${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`,
    )
    .join("\n");
};

type Place = { root: JsonSchema; depth: number };

const exampleValue = (schema: Json | undefined, place: Place): Json => {
  if (!isObject(schema) || place.depth > MAX_DEPTH) return "…";
  const given = schema as JsonSchema;
  if (given.const !== undefined) return given.const;
  if (Array.isArray(given.enum) && given.enum.length > 0)
    return given.enum.find((value) => value !== SUSPEND) ?? given.enum[0] ?? null;
  const inner = { ...place, depth: place.depth + 1 };
  const [first] = [given.oneOf, given.anyOf, given.allOf].find(Array.isArray) ?? [];
  if (first !== undefined) return exampleValue(first, inner);
  if (typeof given.$ref === "string") return exampleValue(definition(given.$ref, place.root), inner);
  switch (Array.isArray(given.type) ? given.type[0] : given.type) {
    case "object":
      return exampleObject(given, inner);
    case "array":
      return [exampleValue(given.items, inner)];
    case "integer":
    case "number":
      return typeof given.minimum === "number" ? given.minimum : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return typeof given.description === "string" ? `<${given.description}>` : "…";
  }
};

/** The suspension's two fields have an example of their own. */
const exampleObject = (schema: JsonSchema, place: Place): Json => {
  const properties = isObject(schema.properties) ? (schema.properties as JsonSchema) : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || !["$status", "reason"].includes(name) || place.depth > 1,
  );
  return Object.fromEntries(shown.map(([name, one]) => [name, exampleValue(one, place)]));
};

const definition = (ref: string, root: JsonSchema): Json | undefined => {
  const name = /^#\/(\$defs|definitions)\/(.+)$/.exec(ref);
  const all = name?.[1] === undefined ? undefined : root[name[1]];
  return isObject(all) && name?.[2] !== undefined ? (all[name[2]] as Json | undefined) : undefined;
};
