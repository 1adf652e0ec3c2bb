import { describe, expect, it } from "vitest";
import { z } from "zod";
import { outputProblems, outputSchema } from "../../../src/workflow/schema.ts";

const plain = {
  type: "object",
  additionalProperties: false,
  required: ["title", "changes"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 10, description: "Short." },
    changes: {
      type: "array",
      items: { type: "object", required: ["path"], properties: { path: { type: "string" } } },
    },
    note: { type: ["string", "null"] },
    count: { type: "integer", minimum: 1 },
    kind: { enum: ["fix", "feature"] },
  },
};

const alternatives = {
  oneOf: [
    {
      type: "object",
      required: ["$status", "plan"],
      properties: { $status: { const: "ready" }, plan: { type: "string" } },
    },
    {
      type: "object",
      required: ["$status", "why"],
      properties: { $status: { const: "stuck" }, why: { type: "string" } },
    },
  ],
};

const problems = (schema: Parameters<typeof outputSchema>[0], output: unknown): string[] => {
  const result = outputSchema(schema).safeParse(output);
  return result.success ? [] : outputProblems(result.error, output);
};

describe("outputSchema", () => {
  it("lets through what fits", () => {
    const output = { title: "T", changes: [{ path: "a", more: 1 }], note: null, count: 2, kind: "fix" };

    expect(outputSchema(plain).parse(output)).toEqual(output);
  });

  it.each<[unknown, string[]]>([
    [null, ["(the whole): must be an object"]],
    ["text", ["(the whole): must be an object"]],
    [{ changes: [] }, ["title: missing, must be a string"]],
    [{ title: "", changes: [] }, ["title: must not be empty"]],
    [{ title: "T".repeat(11), changes: [] }, ["title: must have at most 10 characters"]],
    [{ title: "T", changes: {} }, ["changes: must be a list"]],
    [
      { title: "T", changes: [{}, { path: 1 }] },
      ["changes[0].path: missing, must be a string", "changes[1].path: must be a string"],
    ],
    [{ title: "T", changes: [], note: 3 }, ["note: must be a string or null"]],
    [{ title: "T", changes: [], count: 0 }, ["count: must be at least 1"]],
    [{ title: "T", changes: [], count: 1.5 }, ["count: must be a whole number"]],
    [{ title: "T", changes: [], kind: "chore" }, ['kind: must be one of "fix", "feature"']],
    [{ title: "T", changes: [], extra: 1 }, ["extra: unknown field"]],
  ])("tells what is wrong with %j", (output, expected) => {
    expect(problems(plain, output)).toEqual(expected);
  });

  it.each<[unknown, string[]]>([
    [{ $status: "ready", plan: "x" }, []],
    [{ $status: "ready" }, ["plan: missing, must be a string"]],
    [{ $status: "stuck", plan: "x" }, ["why: missing, must be a string"]],
    [{ $status: "done" }, ['$status: must be one of "ready", "stuck"']],
    [{}, ['$status: missing, must be one of "ready", "stuck"']],
  ])("compares %j with the alternative that it means", (output, expected) => {
    expect(problems(alternatives, output)).toEqual(expected);
  });

  it("lets any role wait for a person", () => {
    const suspended = { $status: "$SUSPEND", reason: "Which of the two?" };

    expect(outputSchema(plain).parse({ ...suspended, title: "" })).toEqual(suspended);
    expect(outputSchema(alternatives).parse(suspended)).toEqual(suspended);
    expect(problems(plain, { $status: "$SUSPEND" })).toEqual([
      "reason: must say what a person has to decide",
    ]);
  });

  it("minds keywords whose type goes without saying", () => {
    const untyped = {
      type: "object",
      required: ["x"],
      properties: { x: { properties: { y: { minLength: 2 } }, required: ["y"] } },
    };

    expect(problems(untyped, { x: {} })).toEqual(["x.y: missing, must be a string"]);
    expect(problems(untyped, { x: { y: "a" } })).toEqual(["x.y: must have at least 2 characters"]);
  });

  it("stops a pattern that runs for ever", () => {
    const schema = outputSchema({
      type: "object",
      properties: { x: { type: "string", pattern: "^(a+)+$" } },
    });

    expect(() => schema.safeParse({ x: `${"a".repeat(40)}b` })).toThrow(
      expect.objectContaining({ code: "too-slow" }),
    );
  });

  it("follows references that lead back", () => {
    const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };

    expect(problems(tree, { children: [{ children: [] }] })).toEqual([]);
    expect(problems(tree, { children: [{ children: 1 }] })).toEqual(["children[0].children: must be a list"]);
  });

  it("refuses a schema that it cannot check", () => {
    expect(() => outputSchema({ type: "object", not: { required: ["x"] } })).toThrow(
      expect.objectContaining({ code: "schema-invalid" }),
    );
  });
});

describe("the schema that a model is shown", () => {
  const shown = (schema: Parameters<typeof outputSchema>[0]) =>
    z.toJSONSchema(outputSchema(schema), { io: "input" });

  it("is the author's, with room for a suspension", () => {
    expect(shown(plain)).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["title", "changes"],
      properties: {
        ...plain.properties,
        $status: { type: "string", enum: ["$SUSPEND"] },
        reason: { type: "string" },
      },
    });
  });

  it("is one plain object for alternatives", () => {
    const schema = shown(alternatives);

    expect(schema).not.toHaveProperty("oneOf");
    expect(schema).toMatchObject({
      type: "object",
      required: ["$status"],
      description: 'With $status "ready": plan.\nWith $status "stuck": why.',
      properties: {
        $status: { enum: ["ready", "stuck", "$SUSPEND"] },
        plan: { type: "string" },
        why: { type: "string" },
      },
    });
  });
});
