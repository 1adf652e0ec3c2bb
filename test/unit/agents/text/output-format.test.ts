import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerBlocks } from "../../../../src/agents/text/answer-blocks.ts";
import { readFrontmatter } from "../../../../src/agents/text/frontmatter.ts";
import { outputFormatInstruction } from "../../../../src/agents/text/output-format.ts";
import { outputSchema } from "../../../../src/workflow/schema.ts";

const schemas: [name: string, schema: z.ZodType][] = [
  [
    "fields of every kind",
    z.object({
      status: z.enum(["done", "failed"]),
      summary: z.string().describe("What was done: in one sentence"),
      files: z.array(z.object({ path: z.string(), lines: z.int().min(3) })),
      isReady: z.boolean(),
      note: z.string().nullable().optional(),
    }),
  ],
  [
    "alternatives of a workflow file",
    outputSchema({
      oneOf: [
        {
          type: "object",
          properties: { $status: { const: "ready" }, plan: { type: "string" } },
          required: ["$status", "plan"],
        },
        { type: "object", properties: { $status: { const: "stuck" } }, required: ["$status"] },
      ],
    }),
  ],
  [
    "definitions",
    z.object({
      node: z.object({
        get next() {
          return z.string().optional();
        },
      }),
    }),
  ],
];

describe("outputFormatInstruction", () => {
  it.each(schemas)("has an example that fits %s", async (_, schema) => {
    const instruction = outputFormatInstruction(schema);

    const [example] = answerBlocks(instruction)
      .reverse()
      .filter(({ text }) => !text.includes("SUSPEND") && !text.includes('{"type'));
    expect(await readFrontmatter(`---\n${example?.text}\n---`, schema)).toMatchObject({ ok: true });
    expect(instruction).toContain("$SUSPEND");
  });

  it("gives the schema with its descriptions", () => {
    expect(outputFormatInstruction(z.object({ a: z.string().describe("The first.") }))).toContain(
      '"description":"The first."',
    );
  });
});
