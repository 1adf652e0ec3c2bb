import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../../../../src/base/json.ts";
import { listedTool } from "../../../../src/tools/mcp/listed-tool.ts";

const object = (properties: JsonSchema = {}): JsonSchema => ({ type: "object", properties });

describe("a tool as a server lists it", () => {
  it("is shown as it is", () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...object({ q: { type: "string" } }),
    };

    expect(listedTool({ name: "a", description: " Finds. ", inputSchema })).toEqual({
      name: "a",
      description: "Finds.",
      parameters: object({ q: { type: "string" } }),
      effect: "write",
    });
  });

  it("only reads when it says so", () => {
    const effect = (readOnlyHint?: boolean) =>
      listedTool({ name: "a", inputSchema: object(), annotations: { readOnlyHint } }).effect;

    expect([effect(true), effect(false), effect()]).toEqual(["read", "write", "write"]);
  });

  it("has its title or its name for a description where it has none", () => {
    expect(listedTool({ name: "a", title: "Finder", inputSchema: object() }).description).toBe("Finder");
    expect(listedTool({ name: "a", inputSchema: object() }).description).toBe("a");
  });

  it("has a long description cut, never inside a character, and control characters taken away", () => {
    const { description } = listedTool({
      name: "a",
      description: `\u001b[1mbold\u0007\u001b[0m ${"x".repeat(1993)}😀${"y".repeat(100)}`,
      inputSchema: object({ q: { description: "\u001b[31mred" } }),
    });

    expect(description).toMatch(/^bold x+…$/);
    expect(description.length).toBeLessThanOrEqual(2000);
    expect(description.isWellFormed()).toBe(true);
  });

  const deep = (depth: number): Json => (depth === 0 ? {} : { items: deep(depth - 1) });
  it.each([
    ["too long", object({ q: { description: "x".repeat(20_000) } })],
    ["too deep", object({ q: deep(100) })],
    ["none", "a schema"],
  ])("takes any arguments where its schema is %s, and says why", (_, inputSchema) => {
    const { parameters, description } = listedTool({ name: "a", description: "Finds.", inputSchema });

    expect(parameters).toEqual({ type: "object", properties: {}, additionalProperties: true });
    expect(description).toBe("Finds.\n(What arguments it takes is too long to be shown.)");
  });

  it("takes an object, whatever its schema says", () => {
    expect(listedTool({ name: "a", inputSchema: {} }).parameters).toEqual(object());
  });
});
