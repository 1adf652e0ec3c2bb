import { isObject, type Json, type JsonSchema } from "../../base/json.ts";
import { type Shape, shapesOf } from "../../workflow/json-schema/shape.ts";
import { followRef, type Scope, scopeOf } from "../../workflow/json-schema/walk.ts";
import type { Terms } from "./condition-terms.ts";
import { textsFor } from "./sample-texts.ts";

/** Answers of one role that are tried, and values of one field. */
const MOST_ANSWERS = 240;
const MOST_VALUES = 24;
const DEEPEST = 6;

export type SampleOptions = {
  terms: Pick<Terms, "strings" | "numbers">;
  /** Fields at the top that conditions speak of: their values are tried in every combination. */
  deciding: ReadonlySet<string>;
};

/** Values that may fit the schema, the plainest first: for whoever tries them. They are to be checked against it. */
export const samplesOf = (schema: JsonSchema, options: SampleOptions): Json[] => {
  const sampler = { ...options, depth: 0, scope: scopeOf(schema) };
  const answers = shapesOf(schema, schema).flatMap((shape) => objectsOf(shape, sampler));
  return spread(distinct(answers), MOST_ANSWERS);
};

type Sampler = SampleOptions & { depth: number; scope: Scope };

/** An object of each combination of the deciding fields, with what is required alone, and with all that there may be. */
const objectsOf = ({ properties, required }: Shape, sampler: Sampler): Json[] => {
  const inner = { ...sampler, deciding: new Set<string>(), depth: sampler.depth + 1 };
  const fields = [...properties].map(([name, schema]) => {
    const values: (Json | undefined)[] = valuesOf(schema, inner);
    const isRequired = required.has(name);
    return { name, values: isRequired ? values : [...values, undefined], isRequired };
  });
  const missing = [...required].filter((name) => !properties.has(name));
  const plain = Object.fromEntries(missing.map((name) => [name, "text"]));
  const decide = fields.filter(({ name }) => sampler.deciding.has(name));
  const rest = fields.filter(({ name }) => !sampler.deciding.has(name));
  const bare = build(rest.filter(({ isRequired }) => isRequired));
  const full = build(rest);
  const varied = rest.flatMap(({ name, values }) =>
    values.slice(1, 4).map((value) => withField({ ...full }, name, value)),
  );
  return combinations(decide).flatMap((decided, index) =>
    [bare, full, ...(index === 0 || sampler.depth > 0 ? varied : [])].map((others) => ({
      ...plain,
      ...others,
      ...decided,
    })),
  );
};

type Field = { name: string; values: readonly (Json | undefined)[] };

const build = (fields: readonly Field[]): JsonSchema =>
  fields.reduce<JsonSchema>((object, { name, values }) => withField(object, name, values[0]), {});

const withField = (object: JsonSchema, name: string, value: Json | undefined): JsonSchema => {
  if (value === undefined) delete object[name];
  else object[name] = value;
  return object;
};

/** When there are too many, those that lie evenly among them. */
const combinations = (fields: readonly Field[]): JsonSchema[] => {
  const all = fields.reduce((product, { values }) => product * Math.max(1, values.length), 1);
  const taken = Math.min(all, MOST_ANSWERS);
  return Array.from({ length: taken }, (_, index) => {
    let rest = all > taken ? Math.floor((index * all) / taken) : index;
    return fields.reduce<JsonSchema>((object, { name, values }) => {
      const value = values[rest % Math.max(1, values.length)];
      rest = Math.floor(rest / Math.max(1, values.length));
      return withField(object, name, value);
    }, {});
  });
};

const valuesOf = (schema: Json, sampler: Sampler): Json[] =>
  spread(distinct(rawValues(schema, sampler)), MOST_VALUES);

const rawValues = (schema: Json, sampler: Sampler): Json[] => {
  if (!isObject(schema)) return schema === false ? [] : ["text"];
  const own = schema as JsonSchema;
  if (sampler.depth > DEEPEST) return [null];
  if (typeof own.$ref === "string") {
    const target = followRef(own.$ref, sampler.scope);
    return target === undefined
      ? []
      : rawValues(target.schema, { ...sampler, scope: target.scope, depth: sampler.depth + 1 });
  }
  if (own.const !== undefined) return [own.const];
  if (Array.isArray(own.enum)) return own.enum;
  const branches = [own.oneOf, own.anyOf].find(Array.isArray);
  const types = typesOf(own);
  if (branches !== undefined && own.type !== "object" && !("properties" in own))
    return branches.flatMap((branch) =>
      valuesOf({ ...withoutBranches(own), ...(branch as JsonSchema) }, sampler),
    );
  return types.flatMap((type) => ofType(type, own, sampler));
};

const withoutBranches = ({ oneOf: _, anyOf: __, ...rest }: JsonSchema): JsonSchema => rest;

const typesOf = ({ type, ...schema }: JsonSchema): string[] => {
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.map(String);
  if (["properties", "required", "additionalProperties"].some((key) => key in schema)) return ["object"];
  if ("items" in schema || "minItems" in schema) return ["array"];
  if ("minimum" in schema || "maximum" in schema || "multipleOf" in schema) return ["number"];
  return "oneOf" in schema || "anyOf" in schema || "allOf" in schema ? ["object"] : ["string"];
};

const ofType = (type: string, schema: JsonSchema, sampler: Sampler): Json[] => {
  switch (type) {
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "integer":
    case "number":
      return numbersOf(schema, { whole: type === "integer", numbers: sampler.terms.numbers });
    case "array":
      return arraysOf(schema, sampler);
    case "object":
      return shapesOf(schema, sampler.scope.root).flatMap((shape) => objectsOf(shape, sampler));
    default:
      return textsFor(schema, sampler.terms.strings);
  }
};

const numbersOf = (
  schema: JsonSchema,
  { whole, numbers }: { whole: boolean; numbers: readonly number[] },
): number[] => {
  const bound = (key: string): number[] => (typeof schema[key] === "number" ? [schema[key]] : []);
  const step = bound("multipleOf")[0];
  const [low, high] = [bound("minimum")[0], bound("maximum")[0]];
  const above = bound("exclusiveMinimum")[0];
  const below = bound("exclusiveMaximum")[0];
  const sorted = numbers.toSorted((a, b) => a - b);
  const between = sorted.flatMap((n, index) => (index === 0 ? [] : [(n + (sorted[index - 1] ?? n)) / 2]));
  const around = [...between, ...numbers.flatMap((n) => [n, n + 1, n - 1, n + 0.5, -n, -n - 1])];
  const limits = [
    low,
    high,
    above === undefined ? above : above + 1,
    below === undefined ? below : below - 1,
  ];
  return [
    ...limits.filter((n) => n !== undefined),
    1,
    0,
    ...around,
    ...(step === undefined ? [] : [step]),
  ].filter(
    (n) =>
      (!whole || Number.isInteger(n)) &&
      n >= (low ?? -Infinity) &&
      n <= (high ?? Infinity) &&
      n > (above ?? -Infinity) &&
      n < (below ?? Infinity) &&
      (step === undefined || Number.isInteger(n / step)),
  );
};

/** Of each item alone, and of as many as the conditions' numbers say. */
const arraysOf = (schema: JsonSchema, sampler: Sampler): Json[] => {
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  const most = Math.min(typeof schema.maxItems === "number" ? schema.maxItems : 50, 50);
  const items = valuesOf(schema.items ?? true, { ...sampler, depth: sampler.depth + 1 });
  const [first] = items;
  if (first === undefined) return least === 0 ? [[]] : [];
  const ofLength = (length: number, item: Json = first): Json[] =>
    schema.uniqueItems === true
      ? [item, ...items.filter((one) => one !== item)].slice(0, length)
      : Array.from({ length }, () => item);
  const lengths = sampler.terms.numbers.flatMap((n) => [n - 1, n, n + 1]);
  return [
    ofLength(Math.max(1, least)),
    ofLength(least),
    ...items.slice(1, 12).map((item) => ofLength(Math.max(1, least), item)),
    ...lengths.filter((n) => Number.isInteger(n) && n >= least && n <= most).map((n) => ofLength(n)),
  ].filter((array) => array.length <= most);
};

const distinct = (values: readonly Json[]): Json[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** At most so many: the first ones, and of the others those that lie evenly among them. */
const spread = <T>(values: readonly T[], most: number): T[] => {
  if (values.length <= most) return [...values];
  const kept = Math.floor(most / 2);
  const rest = values.slice(kept);
  const stride = rest.length / (most - kept);
  return [
    ...values.slice(0, kept),
    ...Array.from({ length: most - kept }, (_, n) => rest[Math.floor(n * stride)] as T),
  ];
};
