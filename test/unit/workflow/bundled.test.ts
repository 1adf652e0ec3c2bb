import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readBundledWorkflow } from "../../../src/workflow/bundled.ts";
import { holds } from "../../../src/workflow/condition.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { mermaid } from "../../../src/workflow/mermaid.ts";
import { outputSchema } from "../../../src/workflow/schema.ts";
import { renderPrompt } from "../../../src/workflow/template.ts";

const directory = new URL("../../../workflows/", import.meta.url);
const names = (await readdir(directory))
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.replace(/\.yaml$/, ""));

const loaded = new Map<string, ReturnType<typeof loadWorkflow>>();
const load = async (name: string) => {
  const text = (await readBundledWorkflow(name)) ?? "";
  const workflow = loaded.get(name) ?? loadWorkflow(text, { file: `workflows/${name}.yaml` });
  loaded.set(name, workflow);
  return workflow;
};

describe("the bundled workflows", () => {
  it.each(names)("%s loads, under its own name", async (name) => {
    const workflow = await load(name);

    expect(workflow.name).toBe(name);
    for (const role of Object.values(workflow.roles))
      expect(z.toJSONSchema(outputSchema(role.schema)).type).toBe("object");
  });

  it.each(names)("%s has prompts that can be read at one go", async (name) => {
    for (const { systemPrompt } of Object.values((await load(name)).roles))
      expect(systemPrompt.split("\n").length).toBeLessThanOrEqual(60);
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
    message: "Add it up",
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

  /** The task that an edge makes of what the roles so far have answered. */
  const taskFor = async ([from, to]: [string, string], outputs: Record<string, unknown>): Promise<string> => {
    const { moderator, roles } = await load("solve-issue");
    const edge = moderator.find((each) => each.from === from && each.to === to);
    const input = "Carry out an approved plan. The sum is wrong.";
    const schema = roles[from]?.schema ?? {};
    return renderPrompt(edge?.prompt ?? "", outputs[from] ?? null, { input, steps: outputs, schema });
  };

  it("tells every role what it needs", async () => {
    const all = { preparer: prepared, planner: planned, developer: developed };
    const failed = { ...all, developer: { status: "failed", summary: "The workflow develop failed." } };

    const prepare = await taskFor(["$START", "preparer"], {});
    const plan = await taskFor(["preparer", "planner"], { preparer: prepared });
    const develop = await taskFor(["preparer", "developer"], { preparer: prepared });
    const carryOut = await taskFor(["planner", "developer"], { preparer: prepared, planner: planned });
    const again = await taskFor(["developer", "developer"], failed);
    const round = await taskFor(["$START", "developer"], all);
    const submit = await taskFor(["developer", "submitter"], all);

    for (const task of [prepare, plan, develop, carryOut, again, round, submit])
      expect(task).toContain("The sum is wrong.");
    expect(plan).toContain("- src/sum.js: the sum");
    for (const task of [develop, carryOut, again]) {
      expect(task).toContain("The repository is at /workspace");
      expect(task).toContain('"test": "npm test"');
      expect(task).toContain("- src/sum.js: the sum");
    }
    for (const task of [carryOut, again]) {
      expect(task).toContain("1. Add instead of subtracting (src/sum.js, sum)");
      expect(task).toContain("- Negative numbers? Assumed: yes.");
    }
    expect(develop).not.toMatch(/plan:|attempt/);
    expect(again).toMatch(/came to nothing.*The workflow develop failed\./s);
    expect(round).toMatch(/a person wants another round.*Fixed the sum\./s);
    expect(round).not.toContain("came to nothing");
    expect(submit).toContain("`npm test`: passed");
    expect(submit).toContain("The commit's message:\nAdd it up");
  });

  it("has develop plan the work unless its own planner has, whatever the issue begins with", async () => {
    const { moderator } = await load("develop");
    const when = moderator.find(({ from, to }) => from === "$START" && to === "planner")?.when ?? "";
    const plans = (input: string) => holds(when, { input, output: null, steps: {}, visits: {}, trigger: "" });

    const carryOut = await taskFor(["planner", "developer"], { preparer: prepared, planner: planned });
    const develop = await taskFor(["preparer", "developer"], { preparer: prepared });

    expect([await plans(carryOut), await plans(develop)]).toEqual([false, true]);
  });

  it("is drawn", async () => {
    expect(mermaid(await load("solve-issue"))).toMatchInlineSnapshot(`
      "flowchart TD
        start(["$START"])
        role0["preparer"]
        role1["planner<br/>approval required"]
        role2[["developer<br/>workflow: develop"]]
        role3["submitter<br/>pull-request"]
        finish(["$END"])
        wait(["$SUSPEND"])
        start -->|"new"| role0
        role0 -->|"trigger == #34;plan#34;"| role1
        role0 --> role2
        role1 --> role2
        start -->|"resume"| role2
        role2 -->|"output.status == #34;done#34;"| role3
        role2 -->|"output.status == #34;failed#34;"| wait
        role2 --> role2
        role3 --> finish
      "
    `);
  });
});

describe("develop", () => {
  it("asks a person at the end of each of its loops, and goes on from there", async () => {
    const { moderator } = await load("develop");

    for (const role of ["coder", "reviewer", "tester"]) {
      const edges = moderator.filter(({ from }) => from === role);
      expect(edges.map(({ to }) => to)).toEqual([expect.anything(), "$SUSPEND", "coder"]);
      expect(edges[1]?.prompt).toMatch(/Say (how it is to go on|what is to be done about it)/);
    }
  });

  it("answers what solve-issue's developer may answer", async () => {
    const { roles } = await load("solve-issue");
    const committer = (await load("develop")).roles.committer;
    const committed = {
      ...{ status: "done", message: "Add it up", summary: "It subtracted.", open: null },
      changes: [{ path: "sum.js", what: "adds" }],
      verification: [{ command: "npm test", result: "passed" }],
    };

    for (const role of [committer, roles.developer])
      expect(outputSchema(role?.schema ?? {}).parse(committed)).toEqual(committed);
  });
});
