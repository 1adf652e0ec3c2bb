const name = (schema: object): object => ({ type: "object", properties: { name: schema } });

/** Schemas of a role's output. They are refused with the file, or used on hostile outputs without harm. */
export const schemas: readonly [what: string, schema: object][] = [
  ["a schema of another server", name({ $ref: "http://169.254.169.254/latest/meta-data" })],
  ["a schema of a file", name({ $ref: "file:///etc/passwd" })],
  ["a schema beside the file", name({ $ref: "../../secrets.json#/a" })],
  ["a dialect of another server", { $schema: "https://example.org/evil", type: "object" }],
  ["an id of another server", { $id: "https://example.org/evil", ...name({ $ref: "other" }) }],
  ["a schema that is itself", { $ref: "#" }],
  [
    "schemas that are each other",
    { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
  ],
  ["a schema that holds itself", { type: "object", properties: { next: { $ref: "#" } } }],
  [
    "a schema that is every one of itself",
    { $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
  ],
  ["a reference to nowhere", name({ $ref: "#/$defs/nowhere" })],
  ["a reference to a prototype", name({ $ref: "#/__proto__/toString" })],
  [
    "a dynamic reference",
    { $dynamicAnchor: "a", type: "object", properties: { name: { $dynamicRef: "#a" } } },
  ],
  [
    "a recursive reference",
    { $recursiveAnchor: true, type: "object", properties: { name: { $recursiveRef: "#" } } },
  ],
  ["a pattern that backtracks", name({ type: "string", pattern: "^(a+)+$" })],
  ["a pattern that backtracks by alternatives", name({ type: "string", pattern: "^(a|aa)+$" })],
  ["a pattern that does not compile", name({ type: "string", pattern: "(((" })],
  [
    "keys by a pattern that backtracks",
    { type: "object", patternProperties: { "^(a+)+$": { type: "string" } } },
  ],
  ["a format that runs code", name({ type: "string", format: "$(id)" })],
  ["five thousand choices", name({ enum: Array.from({ length: 5_000 }, (_, at) => `c${at}`) })],
  [
    "five hundred alternatives",
    {
      anyOf: Array.from({ length: 500 }, (_, at) => ({
        type: "object",
        properties: { [`p${at}`]: { type: "string" } },
      })),
    },
  ],
  [
    "alternatives in alternatives",
    Array.from({ length: 12 }).reduce<object>((inner) => ({ oneOf: [inner, inner] }), { type: "object" }),
  ],
  ["sets of what is unlike", name({ type: "array", uniqueItems: true })],
  ["what is left unevaluated", { type: "object", unevaluatedProperties: false, unevaluatedItems: false }],
  ["a huge least length", name({ type: "string", minLength: 1e308 })],
  ["a length below nothing", name({ type: "string", maxLength: -1 })],
  [
    "a huge list of required fields",
    { type: "object", required: Array.from({ length: 5_000 }, (_, at) => `f${at}`) },
  ],
  ["no schema", { type: "banana" }],
  ["a list of types", { type: ["object", "string", "null", "banana"] }],
  ["a default of a prototype", name({ default: { constructor: { prototype: { a: 1 } } } })],
  [
    "a name that is a prototype's",
    { type: "object", properties: { constructor: { type: "string" }, toString: { type: "number" } } },
  ],
];
