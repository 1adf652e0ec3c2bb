import { expect, it } from "vitest";
import { outputSummary } from "../../../src/worker/output-summary.ts";

it("puts the summary first, lists what else is said, and leaves out what is empty", () => {
  const output = {
    status: "done",
    open: null,
    changes: [
      { path: "sum.js", what: "adds" },
      { path: "sum.test.js", what: "tests it" },
    ],
    repoPath: "/workspace",
    summary: "It subtracted.",
  };

  expect(outputSummary(output)).toBe(
    [
      "It subtracted.",
      "",
      "- Changes:",
      "  - `sum.js`, adds",
      "  - `sum.test.js`, tests it",
      "- Repo path: /workspace",
    ].join("\n"),
  );
});

it("shows what is no object as JSON", () => {
  expect(outputSummary(["a"])).toBe('["a"]');
});
