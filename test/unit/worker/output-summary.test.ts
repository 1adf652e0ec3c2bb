import { expect, it } from "vitest";
import { outputSummary, publishedSummary } from "../../../src/worker/output-summary.ts";

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

it("names no nodes, which say nothing to people", () => {
  expect(outputSummary({ summary: "Drafted.", conversation: "A".repeat(52), path: ".uwf/a.yaml" })).toBe(
    "Drafted.\n\n- Path: .uwf/a.yaml",
  );
});

it("shows what is no object as JSON", () => {
  expect(outputSummary(["a"])).toBe('["a"]');
});

it("says of what was published its title and what was answered, not what stands there", () => {
  const output = { title: "T", body: "Long.", answers: [{ conversation: "7", text: "Done,\nin both." }] };

  expect(publishedSummary({ title: "Read the unit" }, output)).toBe(
    "Read the unit\n\nAnswered:\n\n- Done, in both.",
  );
  expect(publishedSummary({ title: "Read the unit" }, { title: "T", body: "Long." })).toBe("Read the unit");
});
