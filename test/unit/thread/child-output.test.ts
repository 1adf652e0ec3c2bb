import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/base/json.ts";
import { type ChildResult, roleOutput } from "../../../src/thread/child-output.ts";
import { outputSchema } from "../../../src/workflow/schema.ts";

const strict: JsonSchema = {
  type: "object",
  required: ["status", "summary"],
  additionalProperties: false,
  properties: { status: { enum: ["done", "failed"] }, summary: { type: "string" } },
};
const byStatus: JsonSchema = {
  oneOf: [
    {
      type: "object",
      required: ["$status"],
      properties: { $status: { const: "ready" }, file: { type: "string" } },
    },
    {
      type: "object",
      required: ["$status", "reason"],
      properties: { $status: { const: "failed" }, reason: { type: "string" } },
    },
  ],
};
const noWord: JsonSchema = { type: "object", required: ["file"], properties: { file: { type: "string" } } };

const result = (change: Partial<ChildResult>): ChildResult => ({
  ...{
    workflow: "develop",
    status: "completed",
    reason: null,
    output: { status: "done", summary: "It works." },
  },
  ...change,
});
const failed = { status: "failed", reason: "No model." } as const;

describe("what a child's end means for its role", () => {
  it.each<[string, JsonSchema, Partial<ChildResult>, unknown]>([
    ["its answer", strict, {}, { status: "done", summary: "It works." }],
    [
      "its answer, without what the schema does not have",
      strict,
      { output: { status: "done", summary: "It works.", more: 1 } },
      { status: "done", summary: "It works." },
    ],
    [
      "a failure in the schema's words",
      strict,
      failed,
      { status: "failed", summary: "The workflow develop failed: No model." },
    ],
    [
      "a failure in the words of an alternative",
      byStatus,
      failed,
      { $status: "failed", reason: "The workflow develop failed: No model." },
    ],
    [
      "a failure without a word for it",
      noWord,
      failed,
      { $status: "$SUSPEND", reason: "The workflow develop failed: No model." },
    ],
    [
      "its end by a person",
      noWord,
      { status: "cancelled", reason: null },
      { $status: "$SUSPEND", reason: "The workflow develop was cancelled." },
    ],
    [
      "a question",
      strict,
      { status: "suspended", reason: "Which one?" },
      { $status: "$SUSPEND", reason: "Which one?" },
    ],
    [
      "an answer that does not fit",
      noWord,
      {},
      {
        $status: "$SUSPEND",
        reason: expect.stringMatching(
          /^The workflow develop has ended with an answer that developer cannot give: .*file/,
        ),
      },
    ],
  ])("%s", (_, schema, change, output) => {
    const wanted = { role: { name: "developer", schema }, schema: outputSchema(schema) };
    expect(roleOutput(result(change), wanted)).toEqual(output);
  });
});
