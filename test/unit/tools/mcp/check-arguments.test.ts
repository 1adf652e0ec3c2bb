import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/base/json.ts";
import { argumentCheck } from "../../../../src/tools/mcp/check-arguments.ts";

const schema: JsonSchema = {
  type: "object",
  properties: { q: { type: "string" }, limit: { type: "integer" }, none: { type: ["string", "null"] } },
  required: ["q"],
};

describe("the arguments of a call", () => {
  it("pass as they are when they fit", () => {
    const args = { q: "a", limit: 3, none: null, other: true };

    expect(argumentCheck(schema)(args)).toEqual({ ok: true, args });
  });

  it("lose a null that stands for what is left out", () => {
    expect(argumentCheck(schema)({ q: "a", limit: null })).toEqual({ ok: true, args: { q: "a" } });
  });

  it("are told what they lack", () => {
    expect(argumentCheck(schema)({ limit: "x" })).toEqual({
      ok: false,
      problems: expect.arrayContaining(["q: missing, must be a string"]),
    });
    expect(argumentCheck(schema)([])).toEqual({ ok: false, problems: ["(the whole): must be an object"] });
  });

  it.each<[string, JsonSchema, Record<string, unknown>]>([
    [
      "refers elsewhere",
      { type: "object", properties: { q: { $ref: "https://example.com/a.json" } } },
      { q: 1 },
    ],
    ["is broken", { type: "object", properties: { q: { type: "strin" } } }, { q: 1 }],
    [
      "never comes to an end",
      { type: "object", properties: { q: { type: "string", pattern: "^(a+)+$" } } },
      { q: `${"a".repeat(50)}!` },
    ],
  ])("are left to the server when the schema %s", (_, foreign, args) => {
    expect(argumentCheck(foreign)(args)).toEqual({ ok: true, args });
  });
});
