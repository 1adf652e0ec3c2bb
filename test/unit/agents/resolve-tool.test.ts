import { describe, expect, it } from "vitest";
import { z } from "zod";
import { resolveTool } from "../../../src/agents/resolve-tool.ts";
import { outputSchema } from "../../../src/workflow/schema.ts";

const plain = z.object({ status: z.literal("done"), files: z.array(z.string()).default([]), count: z.int() });
const parametersOf = (schema: z.ZodType) => resolveTool(schema).definition.function.parameters;

describe("the resolve tool's definition", () => {
  it("offers the role's output or the suspension, below a plain object", () => {
    expect(parametersOf(plain)).toMatchObject({
      type: "object",
      properties: {
        output: {
          anyOf: [
            { type: "object", required: ["status", "count"] },
            { properties: { $status: { const: "$SUSPEND" }, reason: { type: "string" } } },
          ],
        },
      },
      required: ["output"],
    });
  });

  it("has no alternatives, no meta schema and no odd field names at the top, which providers refuse", () => {
    for (const schema of [plain, z.union([plain, z.object({ $status: z.literal("x") })])]) {
      const parameters = parametersOf(schema);
      expect(Object.keys(parameters).sort()).toEqual([
        "additionalProperties",
        "properties",
        "required",
        "type",
      ]);
      expect(Object.keys(parameters.properties ?? {})).toEqual(["output"]);
      expect(JSON.stringify(parameters)).not.toContain("$schema");
    }
  });

  it("leaves a schema alone that allows the suspension", () => {
    const schema = z.union([plain, z.object({ $status: z.literal("$SUSPEND"), reason: z.string() })]);
    expect(parametersOf(schema)).toMatchObject({ properties: { output: { anyOf: [{}, {}] } } });
    const ofRole = outputSchema({ type: "object", properties: { a: { type: "string" } }, required: ["a"] });
    expect(parametersOf(ofRole)).toMatchObject({
      properties: { output: { type: "object", properties: { a: {}, $status: { enum: ["$SUSPEND"] } } } },
    });
  });

  it("keeps references of a recursive schema pointing at it", () => {
    const tree: z.ZodType = z.object({
      name: z.string(),
      get children() {
        return z.array(tree).optional();
      },
    });
    const parameters = parametersOf(tree);
    expect(JSON.stringify(parameters)).toContain('"$ref":"#/properties/output/anyOf/0"');
    const both = parametersOf(z.object({ left: tree, right: tree }));
    expect(both).toHaveProperty("$defs");
    expect(JSON.stringify(both)).toMatch(/"\$ref":"#\/\$defs\/[^"]+"/);
  });
});

describe("reading what a model hands in", () => {
  const { read } = resolveTool(plain);

  it.each<[string, string]>([
    ["as asked", '{"output":{"status":"done","count":2}}'],
    ["without the wrapping", '{"status":"done","count":2}'],
    ["with primitives of the wrong type", '{"output":{"status":"done","count":"2"}}'],
    ["with the output as JSON text", JSON.stringify({ output: '{"status":"done","count":2}' })],
    ["in a fence", '```json\n{"output":{"status":"done","count":2}}\n```'],
  ])("takes it %s, with defaults filled in", (_, text) => {
    expect(read(text)).toEqual({ ok: true, value: { status: "done", files: [], count: 2 } });
  });

  it("takes the suspension of any role", () => {
    const value = { $status: "$SUSPEND", reason: "No access to the registry." };
    expect(read(JSON.stringify({ output: value }))).toEqual({ ok: true, value });
    expect(read(JSON.stringify(value))).toEqual({ ok: true, value });
    const loose = resolveTool(z.object({ note: z.string().optional() }));
    expect(loose.read(JSON.stringify({ output: value }))).toEqual({ ok: true, value });
  });

  it("wants a reason with the suspension", () => {
    expect(read('{"output":{"$status":"$SUSPEND"}}')).toEqual({
      ok: false,
      problems: expect.stringMatching(/^reason: /),
    });
  });

  it("says what is wrong as lines of path and problem", () => {
    expect(read('{"output":{"status":"finished","files":["a",{}]}}')).toEqual({
      ok: false,
      problems: [
        'status: must be "done"',
        "files[1]: must be a string",
        "count: missing, must be a number",
      ].join("\n"),
    });
  });

  it("says why text is no JSON", () => {
    expect(read('{"output":{"status":"do')).toEqual({
      ok: false,
      problems: expect.stringContaining("cut off"),
    });
  });

  it("tells an output that is called output from the wrapping", () => {
    const named = resolveTool(z.strictObject({ output: z.string() }));
    expect(named.read('{"output":{"output":"x"}}')).toEqual({ ok: true, value: { output: "x" } });
    expect(named.read('{"output":"x"}')).toEqual({ ok: true, value: { output: "x" } });
  });

  it("takes an output that is no object", () => {
    expect(resolveTool(z.string()).read('{"output":"5"}')).toEqual({ ok: true, value: "5" });
  });
});
