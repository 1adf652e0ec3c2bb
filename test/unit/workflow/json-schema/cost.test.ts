import { describe, expect, it } from "vitest";
import { isQuickToCheck } from "../../../../src/workflow/json-schema/cost.ts";

const text = { type: "string", maxLength: 80 };

describe("isQuickToCheck", () => {
  it.each([
    ["plain fields", { type: "object", required: ["a"], properties: { a: text, b: { enum: ["x"] } } }, true],
    ["alternatives", { oneOf: [{ properties: { a: text } }, { type: "array", items: text }] }, true],
    ["a pattern", { properties: { a: { ...text, pattern: "^(a+)+$" } } }, false],
    ["a pattern in an alternative", { anyOf: [{ type: "null" }, { items: { pattern: "a+" } }] }, false],
    ["names by pattern", { patternProperties: { "^(a+)+$": text } }, false],
    ["a format", { properties: { a: { type: "string", format: "email" } } }, false],
    ["items that must differ", { type: "array", uniqueItems: true }, false],
    ["a reference", { anyOf: [{ $ref: "#" }, text] }, false],
  ])("%s: %s", (_, schema, expected) => {
    expect(isQuickToCheck(schema)).toBe(expected);
  });
});
