import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWorkflow } from "../../../src/workflow/load.ts";

const page = readFileSync(new URL("../../../docs/workflows.md", import.meta.url), "utf8");
const [first = ""] = [...page.matchAll(/```yaml\n(version: 1\n.*?)```/gs)].map(([, yaml]) => yaml ?? "");

it("the workflow in docs/workflows.md is valid", async () => {
  const workflow = await loadWorkflow(first, { file: "docs/workflows.md" });

  expect(Object.keys(workflow.roles)).toEqual(["fixer", "submitter"]);
});
