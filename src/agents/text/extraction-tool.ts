import { z } from "zod";
import { isObject, type JsonSchema } from "../../base/json.ts";
import { outputJudge, type Resolution } from "../judge-output.ts";
import { parseArguments } from "../parse-arguments.ts";
import { type ResolveTool, resolveTool } from "../resolve-tool.ts";
import { ungrounded } from "./ungrounded.ts";

/** What a model found: the output, or the fields that the text does not say. */
export type Extracted<T> = { kind: "output"; output: T } | { kind: "missing"; fields: readonly string[] };

/**
 * The `resolve` of an extraction: its output has to fit the role's schema and be said by the texts; or it names what they do not
 * say. `texts` is asked at each reading, since a model may have read more by then.
 */
export const extractionTool = <T>(
  schema: z.ZodType<T>,
  texts: () => readonly string[],
): ResolveTool<Extracted<T>> => {
  const { type, function: own } = resolveTool(schema).definition;
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const judge = outputJudge(schema);
  const properties = own.parameters.properties as JsonSchema;
  return {
    definition: {
      type,
      function: {
        ...own,
        description:
          "Hand in the output, with every value copied from the text; or, when the text does not say what the output needs, the " +
          "names of the missing fields.",
        parameters: { ...own.parameters, properties: { ...properties, missing: MISSING }, required: [] },
      },
    },
    read: (text) => {
      const parsed = parseArguments(text);
      if (!parsed.ok) return { ok: false, problems: parsed.problem };
      const { missing, output, ...rest } = parsed.value;
      const fields = Array.isArray(missing) ? missing.filter((name) => typeof name === "string") : [];
      if (fields.length > 0) return { ok: true, value: { kind: "missing", fields } };
      const written = output ?? rest;
      const judged = judge(written);
      if (!judged.ok) return judged;
      const problems = ungrounded(asGiven(judged.value, written), { schema: shape, texts: texts() });
      return problems.length === 0
        ? ({ ok: true, value: { kind: "output", output: judged.value } } satisfies Resolution<Extracted<T>>)
        : { ok: false, problems: problems.join("\n") };
    },
  };
};

const MISSING: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description: "Instead of the output: the fields that it needs and that the text does not say.",
};

/** Without what the schema filled in: only what was written can be invented. */
const asGiven = (value: unknown, written: unknown): unknown => {
  if (Array.isArray(value) && Array.isArray(written))
    return value.map((item, index) => asGiven(item, written[index]));
  if (!isObject(value) || !isObject(written)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      Object.hasOwn(written, key) ? [[key, asGiven(item, written[key])]] : [],
    ),
  );
};
