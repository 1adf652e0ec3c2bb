import { describe, expect, it } from "vitest";
import { coerceArguments } from "../../../src/agents/coerce-arguments.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });

describe("coerceArguments", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["a number as text", "5", { type: "integer" }, 5],
    ["a negative fraction as text", " -1.5 ", { type: "number" }, -1.5],
    ["a boolean as text", "True", { type: "boolean" }, true],
    ["null as text", "null", { type: ["integer", "null"] }, null],
    ["a number for text", 5, { type: "string" }, "5"],
    ["a boolean for text", false, { type: "string" }, "false"],
    ["a list as text", '["a"]', { type: "array", items: { type: "string" } }, ["a"]],
    ["an object as text", '{"a":"1"}', object({ a: { type: "integer" } }), { a: 1 }],
    ["fields of an object", { a: "1", b: "x" }, object({ a: { type: "integer" } }), { a: 1, b: "x" }],
    ["items of a list", ["1", 2], { type: "array", items: { type: "integer" } }, [1, 2]],
    ["the one alternative that fits", "7", { anyOf: [{ type: "integer" }, { type: "null" }] }, 7],
    [
      "the alternative that a constant marks",
      { kind: "b", n: "1" },
      {
        oneOf: [
          object({ kind: { const: "a" }, n: { type: "string" } }),
          object({ kind: { const: "b" }, n: { type: "integer" } }),
        ],
      },
      { kind: "b", n: 1 },
    ],
  ])("brings %s to its type", (_, value, schema, expected) => {
    expect(coerceArguments(value, schema)).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ["text that is wanted as text", "5", { type: "string" }],
    ["text that may be text or number", "5", { type: ["string", "integer"] }],
    ["text that may be text among alternatives", "5", { anyOf: [{ type: "string" }, { type: "integer" }] }],
    ["words", "five", { type: "integer" }],
    ["a fraction for an integer", 1.5, { type: "integer" }],
    ["broken JSON text", "[1,", { type: "array" }],
    ["JSON text of another kind", "[1]", object({})],
    ["an object for text", { a: 1 }, { type: "string" }],
    ["null for an optional field", { a: null }, object({ a: { type: "string" } })],
    ["what has no schema", "5", undefined],
    ["what has a schema of no type", "5", {}],
    ["alternatives that nothing tells apart", { n: "1" }, { anyOf: [object({ n: {} }), object({ m: {} })] }],
  ])("leaves %s as it is", (_, value, schema) => {
    expect(coerceArguments(value, schema)).toEqual(value);
  });
});
