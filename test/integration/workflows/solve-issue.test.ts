import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves } from "../../../src/llm/scripted-model.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { rightSum, taskOf, type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const prepares = resolves({
  repoPath: "/repository",
  defaultBranch: "main",
  conventions: "No dependencies.",
  toolchain: { install: null, test: "node --test", lint: null, format: null },
});
const plans = (what: string) =>
  resolves({
    summary: "sum.mjs:1 subtracts.",
    steps: [{ what, where: "sum.mjs, sum" }],
    verification: "node --test passes.",
    risks: null,
    questions: [],
  });
const develops = [
  calls("write_file", { path: "sum.mjs", content: rightSum }),
  calls("shell_exec", { command: "node --test" }),
  resolves({
    status: "done",
    summary: "It adds.",
    changes: [{ path: "sum.mjs", what: "adds" }],
    verification: [{ command: "node --test", result: "passed" }],
    open: null,
  }),
];
const submits = resolves({ title: "Add instead of subtracting", body: "It adds now." });
const READS = calls("read_file", { path: "sum.mjs" });

let bench: WorkflowBench;
afterEach(() => bench.dispose());

describe("solve-issue", () => {
  it("plans nothing unless a plan is asked for", async () => {
    bench = await workflowBench([prepares, READS, ...develops, submits]);
    const { id } = await bench.begin("solve-issue", { input: "The sum is wrong.", trigger: "label" });

    const record = await bench.run(id);

    expect(record).toMatchObject({ status: "completed", reason: null });
    expect((await bench.steps(id)).map(({ step }) => step.role)).toEqual([
      "preparer",
      "developer",
      "submitter",
    ]);
    expect(bench.forge.pulls).toMatchObject([{ draft: false }]);
    expect(bench.repository.show("uwf/issue-12-the-sum-is-wrong", "sum.mjs").toString()).toBe(rightSum);
    bench.model.assertDone();
  });

  it("waits with its plan, changes it for a note, and carries out the approved one", async () => {
    bench = await workflowBench([
      prepares,
      READS,
      plans("Negate the second number"),
      plans("Add instead of subtracting"),
      READS,
      ...develops,
      submits,
    ]);
    const { id } = await bench.begin("solve-issue", { input: "The sum is wrong.", trigger: "plan" });

    const waiting = await bench.run(id);
    expect(waiting.status).toBe("suspended");
    expect(bench.forge.pulls).toEqual([]);

    await resumeThread(bench.engine, id, "Add, rather.");
    expect(await bench.run(id)).toMatchObject({ status: "suspended" });
    expect(taskOf(bench.model, "planner")).toContain("Add, rather.");

    const plan = (await bench.steps(id)).at(-1);
    await bench.store.setLink(id, "approved", plan?.hash ?? "");
    await resumeThread(bench.engine, id, null);
    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    const task = taskOf(bench.model, "developer");
    expect(task).toContain("1. Add instead of subtracting (sum.mjs, sum)");
    expect(task).toContain("No dependencies.");
    expect(bench.forge.pulls).toHaveLength(1);
    bench.model.assertDone();
  });
});
