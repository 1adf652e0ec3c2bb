import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep } from "../../../src/llm/scripted-model.ts";
import type { RepositorySettings } from "../../../src/store/payload.ts";
import { cancelThread, pauseThread, resumeThread } from "../../../src/thread/commands.ts";
import { twoRoles } from "../../fixtures/two-roles.ts";
import { type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const settings: RepositorySettings = {
  branchPrefix: "uwf/",
  draft: "never",
  setup: ["echo ran >> .git/setup.log && echo ready", "echo broken >&2; exit 3"],
  instructions: "Write British English.",
  protectedPaths: [],
  reviewers: [],
};
const TOLD = "The repository's setup commands were run";
const count = calls("shell_exec", { command: "wc -l < .git/setup.log" });
const writes = calls("write_file", { path: "new.txt", content: "new\n" });
const done = resolves({ done: "all" });
const submits = resolves({ title: "New", body: "It is new." });

let bench: WorkflowBench;
afterEach(() => bench.dispose());

const begin = async (script: readonly ScriptedStep[], change: Partial<RepositorySettings> = {}) => {
  bench = await workflowBench(script);
  return bench.beginWith(twoRoles, { input: "Do it.", settings: { ...settings, ...change } });
};
const userTexts = (request: number): string[] =>
  (bench.model.asked[request] ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => String(content));

describe("setup", () => {
  it("is run once before a role works, told to it and in the receipt; a failure ends nothing", async () => {
    const { id } = await begin([count, writes, done, submits]);

    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    const [task, setup] = userTexts(0);
    expect(task).toBe("Do it.");
    expect(setup).toContain("1. ok, exit code 0");
    expect(setup).toMatch(
      /2\. failed, exit code 3, .*\n\nThe end of the output of 1:\n\n {4}ready\n\n.*\n\n {4}broken/,
    );
    expect(bench.model.asked[1]?.at(-1)).toMatchObject({ content: expect.stringMatching(/^\s*1\n/) });
    expect(userTexts(3).join("\n")).not.toContain(TOLD);
    const body = bench.forge.details.get(1)?.body ?? "";
    expect(body).toContain("make the workspace ready:\n\n- `echo ran >> .git/setup.log && echo ready`\n- ");
    expect(body).toContain("exit 3` (failed)");
    bench.model.assertDone();
  });

  it("is not run again in a workspace that is taken up, and is in one that is made again", async () => {
    const { id } = await begin([
      async () => {
        await pauseThread(bench.engine, id);
        return count;
      },
      async () => {
        await pauseThread(bench.engine, id);
        return count;
      },
      done,
      submits,
    ]);
    await bench.run(id);
    await resumeThread(bench.engine, id, null);
    await bench.run(id);
    expect(userTexts(1).filter((text) => text.includes(TOLD))).toHaveLength(1);

    await bench.engine.workspaces.close(id);
    await resumeThread(bench.engine, id, null);
    await bench.run(id);

    expect(userTexts(2).filter((text) => text.includes(TOLD))).toHaveLength(2);
  });

  it("says what it has changed, and not what the work had changed before", async () => {
    const setup = ["mkdir -p deep && touch deep/made.txt && echo '// x' >> sum.mjs"];
    const pauses = async () => {
      await pauseThread(bench.engine, id);
      return calls("git_diff", {});
    };
    const { id } = await begin([writes, done, pauses, submits], { setup });
    await bench.run(id);
    const [atFirst] = userTexts(0).filter((text) => text.includes(TOLD));
    await bench.engine.workspaces.close(id);
    await resumeThread(bench.engine, id, null);

    await bench.run(id);

    expect(atFirst).toMatch(/:\n- sum\.mjs\n- deep\/made\.txt\n\n/);
    const [again] = userTexts(3).filter((text) => text.includes(TOLD));
    expect(again).toContain("1. ok, ");
    expect(again).not.toMatch(/new\.txt|git restore/);
  });

  it("is cut off when the thread is cancelled", async () => {
    const { id } = await begin([], { setup: ["sleep 30"] });

    const running = bench.run(id);
    await expect.poll(() => bench.events.some(({ kind }) => kind === "step-started")).toBe(true);
    const since = Date.now();
    await cancelThread(bench.engine, id);

    expect(await running).toMatchObject({ status: "cancelled" });
    expect(Date.now() - since).toBeLessThan(10_000);
  });
});

it("tells every role what the repository's maintainers ask of all", async () => {
  const { id } = await begin([writes, done, submits], { setup: [] });

  await bench.run(id);

  for (const request of [0, 2])
    expect(bench.model.asked[request]?.[0]).toMatchObject({
      role: "system",
      content: expect.stringMatching(
        /^You (work|submit)\.\n\n# What this repository's maintainers ask of you\n\nWrite British English\.\n\n# Paths that no change may touch\n/,
      ),
    });
  expect(userTexts(0)).toEqual(["Do it."]);
});
