import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep, says } from "../../../src/llm/scripted-model.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { twoRoles } from "../../fixtures/two-roles.ts";
import { type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const BRANCH = "uwf/issue-12-the-sum-is-wrong";
const tokens = (inputTokens: number) => ({
  usage: { inputTokens, cachedInputTokens: 0, outputTokens: 0, costUsd: null },
});
const writes = (path: string) => calls("write_file", { path, content: "new\n" });
const suspends = (reason: string) => resolves({ $status: "$SUSPEND", reason });
const submits = resolves({ title: "All of it", body: "It is done." });

let bench: WorkflowBench;
afterEach(() => bench.dispose());

const begin = async (
  script: readonly ScriptedStep[],
  { source, ...limits }: { source?: "local"; budgetTokens?: number; pauseAfterRounds?: number } = {},
) => {
  bench = await workflowBench(script);
  return bench.beginWith(twoRoles, {
    ...(source === "local" ? { source: {} } : {}),
    limits: { pauseAfterRounds: 40, budgetUsd: null, budgetTokens: 1000, ...limits },
  });
};

describe("work that its budget ends", () => {
  it("between two roles is shown in a draft, with what is left, and gone on with there", async () => {
    const { id } = await begin([
      { ...writes("new.txt"), ...tokens(200) },
      { ...resolves({ done: "half" }), ...tokens(700) },
      submits,
    ]);

    const paused = await bench.run(id);

    expect(paused).toMatchObject({
      status: "paused",
      reason: expect.stringMatching(
        /^The thread's budget of 1000 tokens is all but spent \(900 tokens\): .* in the draft pull request https:\/\/forge\/pull\/1\. 1 steps are done\.$/,
      ),
    });
    expect(bench.forge.pulls).toMatchObject([{ branch: BRANCH, draft: true }]);
    expect(bench.forge.details.get(1)).toMatchObject({
      title: "The sum is wrong",
      body: expect.stringContaining("1 steps are done."),
    });
    expect(bench.repository.show(BRANCH, "new.txt").toString()).toBe("new\n");
    expect(bench.events.filter(({ kind }) => kind === "published")).toHaveLength(1);

    await resumeThread(bench.engine, id, null);
    expect(await bench.run(id)).toMatchObject({ status: "completed" });
    expect(bench.forge.pulls).toMatchObject([{ branch: BRANCH }]);
    expect(bench.forge.details.get(1)).toMatchObject({ title: "All of it" });
    bench.model.assertDone();
  });

  it("in the middle of a role is shown with the role's last word, before the budget is overdrawn", async () => {
    const { id } = await begin([
      { ...writes("new.txt"), ...tokens(300) },
      { ...suspends("The first half is done; tests are left."), ...tokens(300) },
      resolves({ done: "all" }),
      submits,
    ]);

    const paused = await bench.run(id);

    expect(paused.status).toBe("paused");
    expect(paused.reason).toMatch(
      /all but spent \(600 tokens\).*pull\/1\. The first half is done; tests are left\.$/,
    );
    expect(bench.forge.details.get(1)?.body).toContain("The first half is done; tests are left.");
    expect(bench.repository.show(BRANCH, "new.txt").toString()).toBe("new\n");

    await resumeThread(bench.engine, id, null);
    expect(await bench.run(id)).toMatchObject({ status: "completed" });
    bench.model.assertDone();
  });

  it("is shown also when the role found no last word", async () => {
    const { id } = await begin([
      { ...writes("new.txt"), ...tokens(600) },
      { ...says("I was in the middle of it."), ...tokens(100) },
    ]);

    const paused = await bench.run(id);

    expect(paused).toMatchObject({ status: "paused", reason: expect.stringContaining("/pull/1.") });
    expect(bench.forge.details.get(1)?.body).toContain("I was in the middle of it.");
    expect(bench.repository.show(BRANCH, "new.txt").toString()).toBe("new\n");
  });

  it("pauses all the same when it may not be published, and says why", async () => {
    const { id } = await begin([
      { ...writes(".github/workflows/ci.yml"), ...tokens(600) },
      { ...suspends("Half."), ...tokens(100) },
    ]);

    expect(await bench.run(id)).toMatchObject({
      status: "paused",
      reason: expect.stringMatching(
        /kept, but could not be published: .*`\.github\/workflows\/ci\.yml`.* Half\.$/,
      ),
    });
    expect(bench.forge.pulls).toEqual([]);
  });

  it("is not shown when nothing was changed, nor where there is no forge", async () => {
    const nothing = await begin([
      { ...calls("list_files", {}), ...tokens(600) },
      { ...suspends("Nothing yet."), ...tokens(100) },
    ]);
    expect(await bench.run(nothing.id)).toMatchObject({ status: "paused" });
    expect(bench.forge.pulls).toEqual([]);
    await bench.dispose();

    const local = await begin(
      [
        { ...writes("new.txt"), ...tokens(600) },
        { ...suspends("Half."), ...tokens(100) },
      ],
      { source: "local" },
    );
    expect(await bench.run(local.id)).toMatchObject({ status: "paused" });
    expect(bench.repository.git("branch", "--list", "uwf/*")).toBe("");
  });

  it("is not shown when rounds, not money, are over", async () => {
    const { id } = await begin([writes("new.txt"), resolves({ done: "half" })], {
      budgetTokens: 100_000,
      pauseAfterRounds: 1,
    });

    expect(await bench.run(id)).toMatchObject({
      status: "paused",
      reason: "Paused after 1 step for a person to judge. 1 steps are done.",
    });
    expect(bench.forge.pulls).toEqual([]);
  });
});
