import { describe, expect, it } from "vitest";
import { bundledWorkflowNames, readBundledWorkflow } from "../../../src/workflow/bundled.ts";
import { fileText } from "../../../src/workflow/file-text.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { workflowNodes } from "../../../src/workflow/nodes.ts";
import { DESIGN } from "../../../src/workflow/reserved.ts";

// Its name is that file's alone.
const names = (await bundledWorkflowNames()).filter((name) => name !== DESIGN);

describe("fileText", () => {
  it.each(names)("writes a file that loads as the same %s", async (name) => {
    const workflow = await loadWorkflow((await readBundledWorkflow(name)) ?? "", { file: name });

    const again = await loadWorkflow(await fileText(workflow), { file: name });

    expect(workflowNodes(again).workflow.hash).toBe(workflowNodes(workflow).workflow.hash);
  });
});
