import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { calls, resolves, type ScriptedStep } from "../../../src/llm/scripted-model.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { rightSum, taskOf, type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const BRANCH = "uwf/issue-12-the-sum-is-wrong";
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
const plansWithin = resolves({
  summary: "sum.mjs:1 subtracts.",
  acceptance: "sum(2, 3) is 5.",
  steps: [{ what: "Add", where: "sum.mjs, sum" }],
  checks: ["node --test"],
  risks: null,
});
const report = {
  status: "done",
  summary: "It adds.",
  changes: [{ path: "sum.mjs", what: "adds" }],
  verification: [{ command: "node --test", result: "passed" }],
  open: null,
};
const codes: readonly ScriptedStep[] = [
  calls("read_file", { path: "sum.mjs" }),
  calls("write_file", { path: "sum.mjs", content: rightSum }),
  calls("shell_exec", { command: "node --test" }),
  resolves({ ...report, decided: null }),
];
const develops: readonly ScriptedStep[] = [
  ...codes,
  resolves({ status: "approved", summary: "It adds.", findings: [] }),
  calls("shell_exec", { command: "node --test" }),
  resolves({ status: "passed", summary: "They pass.", verification: report.verification, failures: [] }),
  calls("git_diff", {}),
  resolves({ ...report, message: "Add instead of subtracting\n\nsum subtracted." }),
];
const submits = resolves({ title: "Add instead of subtracting", body: "It adds now." });

let bench: WorkflowBench;
afterEach(() => bench.dispose());

const roles = async (id: Parameters<WorkflowBench["steps"]>[0]): Promise<string[]> =>
  (await bench.steps(id)).map(({ step }) => step.role);

describe("solve-issue", () => {
  it("has develop do the work, and plans nothing for a person unless a plan is asked for", async () => {
    bench = await workflowBench([prepares, plansWithin, ...develops, submits]);
    const { id } = await bench.begin("solve-issue", { input: "The sum is wrong.", trigger: "label" });

    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(await roles(id)).toEqual(["preparer", "developer", "submitter"]);
    const { step, output } = (await bench.steps(id))[1] ?? {};
    expect(step?.childWorkflow).toBe("develop");
    expect(output).toEqual({ ...report, message: expect.stringMatching(/^Add instead/) });
    expect(bench.forge.pulls).toMatchObject([{ draft: false }]);
    expect(bench.repository.show(BRANCH, "sum.mjs").toString()).toBe(rightSum);
    const task = taskOf(bench.model, "coder");
    expect(task).toContain("The sum is wrong.");
    expect(task).toContain("No dependencies.");
    expect(taskOf(bench.model, "submitter")).toContain("The commit's message:\nAdd instead of subtracting");
    bench.model.assertDone();
  });

  it("waits with its plan, changes it for a note, and has the approved one carried out as it stands", async () => {
    bench = await workflowBench([
      prepares,
      plans("Negate the second number"),
      plans("Add instead of subtracting"),
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

    const task = taskOf(bench.model, "coder");
    expect(task).toContain("Carry out an approved plan.");
    expect(task).toContain("1. Add instead of subtracting (sum.mjs, sum)");
    expect(task).toContain("No dependencies.");
    expect(bench.forge.pulls).toHaveLength(1);
    bench.model.assertDone();
  });

  it("waits for a person where develop does, and has the answer told to the coder", async () => {
    const finding = {
      ...{ path: "sum.mjs", line: 1, severity: "major", problem: "Is it a sum of two alone?" },
      scenario: "sum(1, 2, 3) is 3.",
    };
    const refused = [...codes, resolves({ status: "changes", summary: "Not yet.", findings: [finding] })];
    bench = await workflowBench([
      prepares,
      plansWithin,
      ...refused,
      ...refused,
      ...refused,
      ...develops,
      submits,
    ]);
    const { id } = await bench.begin("solve-issue", { input: "The sum is wrong.", trigger: "label" });

    expect(await bench.run(id)).toMatchObject({
      status: "suspended",
      reason: expect.stringContaining("sum.mjs:1, major: Is it a sum of two alone? sum(1, 2, 3) is 3."),
    });
    expect(bench.forge.pulls).toEqual([]);

    await resumeThread(bench.engine, id, "Of two alone.");
    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(taskOf(bench.model, "coder")).toContain("Of two alone.");
    expect(bench.forge.pulls).toHaveLength(1);
    bench.model.assertDone();
  });

  it("goes on after its end with what a person adds, told to those who do the work", async () => {
    const again = [...develops.slice(0, 1), ...develops.slice(2)];
    bench = await workflowBench([
      prepares,
      plansWithin,
      ...develops,
      submits,
      plansWithin,
      ...again,
      submits,
    ]);
    const { id } = await bench.begin("solve-issue", { input: "The sum is wrong.", trigger: "label" });
    expect(await bench.run(id)).toMatchObject({ status: "completed" });

    await resumeThread(bench.engine, id, "Say so in the README.");
    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(await roles(id)).toEqual(["preparer", "developer", "submitter", "developer", "submitter"]);
    for (const role of ["planner", "coder", "reviewer", "tester", "committer"])
      expect(taskOf(bench.model, role)).toMatch(/worked on before.*It adds\..*Say so in the README\./s);
    expect(bench.forge.pulls).toHaveLength(1);
    bench.model.assertDone();
  });

  it("says why develop has failed, and makes another attempt when a person says how", async () => {
    bench = await workflowBench([
      prepares,
      plansWithin,
      ...codes.slice(0, 2),
      new AppError("the model is gone", { code: "model-refused", remedy: "fix-config" }),
      plansWithin,
      ...develops,
      submits,
    ]);
    const { id } = await bench.begin("solve-issue", { input: "The sum is wrong.", trigger: "label" });

    expect(await bench.run(id)).toMatchObject({
      status: "suspended",
      reason: expect.stringMatching(/the model is gone.*Say how it is to go on/s),
    });

    await resumeThread(bench.engine, id, "It is back.");
    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    const task = taskOf(bench.model, "coder");
    expect(task).toMatch(/An attempt before this one came to nothing.*the model is gone.*It is back\./s);
    expect(bench.repository.show(BRANCH, "sum.mjs").toString()).toBe(rightSum);
    bench.model.assertDone();
  });
});
