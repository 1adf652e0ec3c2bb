import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep } from "../../../src/llm/scripted-model.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { rightSum, taskOf, type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const BRANCH = "uwf/issue-12-the-sum-is-wrong";
const pullRequest = { number: 1, branch: BRANCH, repository: "acme/parser" };
const ends = (change: object) =>
  resolves({
    status: "fixed",
    cause: "ours",
    summary: "sum.mjs:1 subtracts.",
    changes: [{ path: "sum.mjs", what: "adds" }],
    verification: [{ command: "node --test", result: "passed" }],
    open: null,
    ...change,
  });

let bench: WorkflowBench;
afterEach(() => bench.dispose());

const begin = async (script: readonly ScriptedStep[]) => {
  bench = await workflowBench(script);
  bench.repository.git("branch", BRANCH);
  bench.forge.pulls.push({
    number: 1,
    url: "https://forge/pull/1",
    branch: BRANCH,
    draft: true,
    state: "open",
  });
  const input = 'Check "test":\n\n    not ok 1 - adds';
  const { id } = await bench.begin("fix-ci", { input, trigger: "checks", pullRequest });
  return { id, base: bench.repository.git("rev-parse", BRANCH) };
};

describe("fix-ci", () => {
  it("pushes what mends the check to the same branch", async () => {
    const { id, base } = await begin([
      calls("shell_exec", { command: "node --test" }),
      calls("read_file", { path: "sum.mjs" }),
      calls("write_file", { path: "sum.mjs", content: rightSum }),
      ends({}),
      resolves({ title: "Add instead of subtracting", body: "The test passes." }),
    ]);

    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(bench.repository.git("rev-parse", `${BRANCH}~1`)).toBe(base);
    expect(bench.repository.show(BRANCH, "sum.mjs").toString()).toBe(rightSum);
    expect(taskOf(bench.model, "fixer")).toContain("not ok 1 - adds");
    expect(await bench.store.link(id, "commit")).toContain(bench.repository.git("rev-parse", BRANCH));
    bench.model.assertDone();
  });

  it("changes nothing when the failure is not the pull request's", async () => {
    const { id, base } = await begin([ends({ status: "not-ours", cause: "infrastructure", changes: [] })]);

    expect(await bench.run(id)).toMatchObject({ status: "completed" });

    expect(bench.repository.git("rev-parse", BRANCH)).toBe(base);
    bench.model.assertDone();
  });

  it("asks a person after the second attempt that comes to nothing, and goes on with the answer", async () => {
    const blocked = ends({ status: "blocked", changes: [], open: "The same error again." });
    const { id, base } = await begin([
      blocked,
      blocked,
      calls("read_file", { path: "sum.mjs" }),
      calls("write_file", { path: "sum.mjs", content: rightSum }),
      ends({}),
      resolves({ title: "Add instead of subtracting", body: "The test passes." }),
    ]);

    expect(await bench.run(id)).toMatchObject({
      status: "suspended",
      reason: expect.stringMatching(
        /could not be mended\. sum\.mjs:1 subtracts\.\s+.*The same error again\./,
      ),
    });
    expect(taskOf(bench.model, "fixer")).toContain("The same error again.");

    await resumeThread(bench.engine, id, "It is the minus.");
    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(taskOf(bench.model, "fixer")).toMatch(/not ok 1 - adds.*It is the minus\./s);
    expect(bench.repository.git("rev-parse", `${BRANCH}~1`)).toBe(base);
    bench.model.assertDone();
  });

  it("waits for a person where the diff takes the check away", async () => {
    const { id, base } = await begin([
      calls("read_file", { path: "sum.test.mjs" }),
      calls("write_file", { path: "sum.test.mjs", content: "" }),
      ends({ changes: [{ path: "sum.test.mjs", what: "mended" }] }),
      calls("git_diff", {}),
      resolves({ $status: "$SUSPEND", reason: "sum.test.mjs: the test is deleted." }),
    ]);

    expect(await bench.run(id)).toMatchObject({
      status: "suspended",
      reason: "sum.test.mjs: the test is deleted.",
    });

    expect(bench.repository.git("rev-parse", BRANCH)).toBe(base);
  });
});
