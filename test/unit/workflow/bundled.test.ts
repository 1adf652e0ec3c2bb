import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readBundledWorkflow } from "../../../src/workflow/bundled.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { mermaid } from "../../../src/workflow/mermaid.ts";
import { outputSchema } from "../../../src/workflow/schema.ts";
import { renderPrompt } from "../../../src/workflow/template.ts";

const directory = new URL("../../../workflows/", import.meta.url);
const names = (await readdir(directory))
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.replace(/\.yaml$/, ""));

const load = async (name: string) =>
  loadWorkflow((await readBundledWorkflow(name)) ?? "", { file: `workflows/${name}.yaml` });

describe("the bundled workflows", () => {
  it.each(names)("%s loads, under its own name", async (name) => {
    const workflow = await load(name);

    expect(workflow.name).toBe(name);
    for (const role of Object.values(workflow.roles))
      expect(z.toJSONSchema(outputSchema(role.schema)).type).toBe("object");
  });

  it("are not found under other names", async () => {
    expect(await readBundledWorkflow("../package")).toBeUndefined();
    expect(await readBundledWorkflow("nothing")).toBeUndefined();
  });
});

describe("solve-issue", () => {
  const prepared = {
    repoPath: "/workspace",
    defaultBranch: "main",
    conventions: null,
    toolchain: { install: null, test: "npm test", lint: null, format: null },
    relevant: [{ path: "src/sum.js", why: "the sum" }],
  };
  const planned = {
    summary: "src/sum.js:1 subtracts.",
    steps: [{ what: "Add instead of subtracting", where: "src/sum.js, sum" }],
    verification: "npm test passes.",
    risks: null,
    questions: ["Negative numbers? Assumed: yes."],
  };
  const developed = {
    status: "done",
    summary: "Fixed the sum.",
    changes: [{ path: "src/sum.js", what: "adds" }],
    verification: [{ command: "npm test", result: "passed" }],
    open: null,
  };

  it("accepts what its roles are asked for", async () => {
    const { roles } = await load("solve-issue");

    expect(outputSchema(roles.preparer?.schema ?? {}).parse(prepared)).toEqual(prepared);
    expect(outputSchema(roles.planner?.schema ?? {}).parse(planned)).toEqual(planned);
    expect(outputSchema(roles.developer?.schema ?? {}).parse(developed)).toEqual(developed);
    expect(outputSchema(roles.submitter?.schema ?? {}).parse({ title: "Fix", body: "B" })).toEqual({
      title: "Fix",
      body: "B",
    });
  });

  it("tells every role what it needs", async () => {
    const { moderator } = await load("solve-issue");
    const outputs: Record<string, unknown> = {
      preparer: prepared,
      planner: planned,
      developer: developed,
    };
    const prompts = moderator.map(async ({ from, prompt }) =>
      prompt === null
        ? ""
        : renderPrompt(prompt, outputs[from] ?? null, { input: "The sum is wrong.", steps: outputs }),
    );

    const [prepare, plan, develop, carryOut, submit, again] = await Promise.all(prompts);

    expect(prepare).toContain("The sum is wrong.");
    expect(plan).toContain("- src/sum.js: the sum");
    expect(carryOut).toContain("/workspace");
    expect(carryOut).toContain("1. Add instead of subtracting (src/sum.js, sum)");
    expect(carryOut).toContain("- Negative numbers? Assumed: yes.");
    expect(develop).toContain("/workspace");
    expect(develop).toContain('"test": "npm test"');
    expect(develop).toContain("- src/sum.js: the sum");
    expect(submit).toContain("`npm test`: passed");
    expect(again).toContain("Fixed the sum.");
    expect(again).toContain("Add instead of subtracting");
  });

  it("is drawn", async () => {
    expect(mermaid(await load("solve-issue"))).toMatchInlineSnapshot(`
      "flowchart TD
        start(["$START"])
        role0["preparer"]
        role1["planner<br/>approval required"]
        role2["developer"]
        role3["submitter<br/>pull-request"]
        finish(["$END"])
        start --> role0
        role0 -->|"trigger == #34;plan#34;"| role1
        role0 --> role2
        role1 --> role2
        role2 -->|"output.status == #34;done#34; #38;#38; size(output.changes) #62; 0"| role3
        role2 -->|"visits.developer #60; 3"| role2
        role3 --> finish
      "
    `);
  });
});
