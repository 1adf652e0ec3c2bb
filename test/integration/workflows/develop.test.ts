import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import { calls, resolves, type ScriptedStep } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { rightSum, taskOf, type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const plans = [
  calls("read_file", { path: "sum.mjs" }),
  resolves({
    summary: "sum.mjs:1 subtracts.",
    acceptance: "sum(2, 3) is 5.",
    steps: [{ what: "Add instead of subtracting", where: "sum.mjs, sum" }],
    checks: ["node --test"],
    risks: null,
  }),
];
const changes = [{ path: "sum.mjs", what: "adds" }];
const verification = [{ command: "node --test", result: "passed" }];
const codes = (content: string, report: Record<string, Json> = {}): ScriptedStep[] => [
  calls("read_file", { path: "sum.mjs" }),
  calls("write_file", { path: "sum.mjs", content }),
  resolves({
    ...{ status: "done", summary: "It adds.", changes, verification, decided: null, open: null },
    ...report,
  }),
];
const finding = {
  ...{ path: "sum.mjs", line: 1, severity: "major", problem: "It multiplies." },
  scenario: "sum(2, 3) is 6.",
};
const reviews = (findings: Json[] = []) =>
  resolves({
    status: findings.length === 0 ? "approved" : "changes",
    summary: findings.length === 0 ? "It adds." : "It does not add.",
    findings,
  });
/** What the tests print decides what the tester says. */
const tests: ScriptedStep[] = [
  calls("shell_exec", { command: "node --test" }),
  ({ messages }) => {
    const printed = String(messages.at(-1)?.content);
    const passed = /^# fail 0|ℹ fail 0/m.test(printed);
    return resolves({
      status: passed ? "passed" : "failed",
      summary: passed ? "The tests pass." : "The test fails.",
      verification: [{ command: "node --test", result: passed ? "passed" : "failed" }],
      failures: passed ? [] : [{ what: "adds", error: /\d+ !== \d+/.exec(printed)?.[0] ?? "?" }],
    });
  },
];
const commits = [
  calls("git_diff", {}, calls("git_log", {})),
  resolves({
    status: "done",
    message: "Add instead of subtracting",
    summary: "The sum subtracted.",
    changes,
    verification,
    open: null,
  }),
];
const wrongAgain = "export const sum = (a, b) => a * b;\n";

let bench: WorkflowBench;
afterEach(() => bench.dispose());

const begin = async (script: readonly ScriptedStep[], input = "The sum is wrong."): Promise<ThreadRecord> => {
  bench = await workflowBench(script);
  return bench.begin("develop", { input, trigger: "run" });
};

const roles = async ({ id }: ThreadRecord): Promise<string[]> =>
  (await bench.steps(id)).map(({ step }) => step.role);

/** A file as the last step left it; null where it was taken away again, or never changed. */
const fileNow = async ({ id }: ThreadRecord, path: string): Promise<string | null> => {
  const hash = (await bench.steps(id)).at(-1)?.step.workspace ?? "";
  const { files } = await bench.store.load("workspace", hash as never);
  const content = files.find((file) => file.path === path)?.content ?? null;
  return content === null ? null : (await bench.store.load("text", content)).text;
};

describe("develop", () => {
  it("plans, changes, reviews and tests, and leaves what is to be committed, without stray files", async () => {
    const thread = await begin([
      ...plans,
      calls("write_file", { path: "debug.log", content: "2 - 3\n" }),
      ...codes(rightSum),
      calls("git_diff", {}),
      reviews(),
      ...tests,
      calls("git_diff", {}),
      calls("shell_exec", { command: "rm debug.log" }),
      ...commits,
    ]);

    expect(await bench.run(thread.id)).toMatchObject({ status: "completed", reason: null });

    expect(await roles(thread)).toEqual(["planner", "coder", "reviewer", "tester", "committer"]);
    expect(await fileNow(thread, "sum.mjs")).toBe(rightSum);
    expect(await fileNow(thread, "debug.log")).toBeNull();
    expect((await bench.steps(thread.id)).at(-1)?.output).toMatchObject({
      status: "done",
      message: "Add instead of subtracting",
      verification,
    });
    expect(taskOf(bench.model, "coder")).toContain("1. Add instead of subtracting (sum.mjs, sum)");
    for (const role of ["coder", "reviewer", "tester"])
      expect(taskOf(bench.model, role)).toContain("It is done when:\nsum(2, 3) is 5.");
    expect(taskOf(bench.model, "tester")).toContain("- `node --test`");
    expect(taskOf(bench.model, "committer")).toContain("- `node --test`: passed");
    bench.model.assertDone();
  });

  it("gives the coder what the review found, and the review what was found before", async () => {
    const thread = await begin([
      ...plans,
      ...codes(wrongAgain),
      reviews([finding]),
      ...codes(rightSum),
      reviews(),
      ...tests,
      ...commits,
    ]);

    expect(await bench.run(thread.id)).toMatchObject({ status: "completed", reason: null });

    const task = taskOf(bench.model, "coder");
    expect(task).toContain("1. sum.mjs:1, major\n   Problem: It multiplies.\n   Scenario: sum(2, 3) is 6.");
    expect(task).toContain("The sum is wrong.");
    expect(taskOf(bench.model, "reviewer")).toContain(
      "What the review before this one found:\n- sum.mjs:1, major: It multiplies. sum(2, 3) is 6.",
    );
    expect(await fileNow(thread, "sum.mjs")).toBe(rightSum);
    bench.model.assertDone();
  });

  it("gives the coder what the tests say, and has the next change reviewed and tested again", async () => {
    const thread = await begin([
      ...plans,
      ...codes(wrongAgain),
      reviews(),
      ...tests,
      ...codes(rightSum),
      reviews(),
      ...tests,
      ...commits,
    ]);

    expect(await bench.run(thread.id)).toMatchObject({ status: "completed", reason: null });

    expect(await roles(thread)).toEqual([
      ...["planner", "coder", "reviewer", "tester"],
      ...["coder", "reviewer", "tester", "committer"],
    ]);
    expect(taskOf(bench.model, "coder")).toContain("- adds: 6 !== 5");
    expect(taskOf(bench.model, "reviewer")).toContain("- adds: 6 !== 5");
    bench.model.assertDone();
  });

  it("asks a person after three attempts that the review refuses, and tells the coder the answer", async () => {
    const attempt = [...codes(wrongAgain), reviews([finding])];
    const thread = await begin([
      ...plans,
      ...attempt,
      ...attempt,
      ...attempt,
      ...codes(rightSum, { decided: "Add them up." }),
      reviews(),
      ...tests,
      ...commits,
    ]);

    expect(await bench.run(thread.id)).toMatchObject({
      status: "suspended",
      reason: expect.stringMatching(
        /the review still finds:.*sum\.mjs:1, major: It multiplies\..*It adds\./s,
      ),
    });

    await resumeThread(bench.engine, thread.id, "Add them up.");
    expect(await bench.run(thread.id)).toMatchObject({ status: "completed", reason: null });

    const task = taskOf(bench.model, "coder");
    expect(task).toContain("Problem: It multiplies.");
    expect(task).toContain("Add them up.");
    for (const role of ["reviewer", "tester", "committer"])
      expect(taskOf(bench.model, role)).toContain("A person has decided:\nAdd them up.");
    bench.model.assertDone();
  });

  it("asks a person after three rounds that the tests refuse", async () => {
    const attempt = [...codes(wrongAgain), reviews(), ...tests];
    const thread = await begin([...plans, ...attempt, ...attempt, ...attempt, ...codes(rightSum), reviews()]);

    expect(await bench.run(thread.id)).toMatchObject({
      status: "suspended",
      reason: expect.stringMatching(/the tests still fail:\s+- adds: 6 !== 5/),
    });
    expect((await roles(thread)).filter((role) => role === "coder")).toHaveLength(3);

    await resumeThread(bench.engine, thread.id, "It says sum.");
    await bench.run(thread.id);
    expect(taskOf(bench.model, "coder")).toMatch(/- adds: 6 !== 5.*It says sum\./s);
  });

  it("lets the coder try three times where it gets nowhere, and then asks a person", async () => {
    const stuck = resolves({
      ...{ status: "blocked", summary: "It does not run.", changes: [], verification: [] },
      ...{ decided: null, open: "node is missing." },
    });
    const thread = await begin([...plans, stuck, stuck, stuck, ...codes(rightSum), reviews()]);

    expect(await bench.run(thread.id)).toMatchObject({
      status: "suspended",
      reason: expect.stringMatching(
        /could not get there\. It does not run\.\s+What blocks it: node is missing\./,
      ),
    });

    await resumeThread(bench.engine, thread.id, "It is in /opt.");
    await bench.run(thread.id);
    expect(taskOf(bench.model, "coder")).toContain("It is in /opt.");
    expect(await fileNow(thread, "sum.mjs")).toBe(rightSum);
  });

  it("begins another round after its end with the coder, who is told what a person adds", async () => {
    const round = [reviews(), ...tests, ...commits];
    const decided = { decided: "Say so in the README." };
    const thread = await begin([
      ...plans,
      ...codes(rightSum),
      ...round,
      ...codes(rightSum, decided),
      ...round,
    ]);
    await bench.run(thread.id);

    await resumeThread(bench.engine, thread.id, decided.decided);
    expect(await bench.run(thread.id)).toMatchObject({ status: "completed", reason: null });

    expect((await roles(thread)).slice(5)).toEqual(["coder", "reviewer", "tester", "committer"]);
    expect(taskOf(bench.model, "coder")).toMatch(/another round.*It adds\..*Say so in the README\./s);
    expect(taskOf(bench.model, "reviewer")).toContain("A person has decided:\nSay so in the README.");
    bench.model.assertDone();
  });

  it("goes straight to the work where a person has approved a plan for it", async () => {
    const thread = await begin(
      [...codes(rightSum), reviews(), ...tests, ...commits],
      "Carry out an approved plan.\n\n1. Add instead of subtracting.",
    );

    expect(await bench.run(thread.id)).toMatchObject({ status: "completed", reason: null });

    expect(await roles(thread)).toEqual(["coder", "reviewer", "tester", "committer"]);
    bench.model.assertDone();
  });
});
