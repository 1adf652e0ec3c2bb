import { expect } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";

/** The `line:column: problem` of each problem of a file. */
export const problemsOf = async (source: string | Uint8Array): Promise<string[]> => {
  try {
    await loadWorkflow(source, { file: "w.yaml" });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error).toMatchObject({ code: "workflow-invalid", remedy: "fix-input" });
    return error.message.split("\n").map((line) => {
      expect(line).toMatch(/^w\.yaml:/);
      return line.slice("w.yaml:".length);
    });
  }
};

/** Takes the `§` out of a text: each marked the place, `line:column`, of what follows it. */
export const unmarked = (marked: string): { text: string; places: string[] } => {
  const parts = marked.split("§");
  const places = parts.slice(0, -1).map((_, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join("")
      .split("\n");
    return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  });
  return { text: parts.join(""), places };
};

export const textSchema =
  "{ type: object, required: [text], properties: { text: { type: string }, note: { type: string } } }";

/** A file with two roles, `a` and `b`, and the edges that are given; fields of `a` may be replaced. */
export const twoRoles = (edges: string[], a = `{ systemPrompt: A, schema: ${textSchema} }`): string =>
  [
    "name: w",
    "roles:",
    `  a: ${a}`,
    `  b: { systemPrompt: B, schema: ${textSchema} }`,
    "moderator:",
    ...edges.map((edge) => `  - ${edge}`),
    "",
  ].join("\n");

/** A file with the role `a` alone, which everything leads through. */
export const oneRole = (
  a: string,
  moderator = "moderator: [{ from: $START, to: a }, { from: a, to: $END }]",
): string => ["name: w", "roles:", `  ${a}`, moderator, ""].join("\n");
