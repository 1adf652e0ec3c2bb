import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plainStyle } from "../../../src/cli/style.ts";
import { renderThreadDiff } from "../../../src/cli/thread/render-thread-diff.ts";
import { calls, resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { compareThreads } from "../../../src/thread/compare/compare-threads.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { runThread } from "../../../src/thread/run.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { child, parent } from "../../fixtures/nested-workflows.ts";
import { replayAll, replayed } from "../../fixtures/replay-rig.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const never = () => new AbortController().signal;
const shell = (command: string) => calls("shell_exec", { command });
const coded = [shell("echo by the child > made.txt"), resolves({ file: "made.txt" })];
const checked = [shell("cat made.txt"), resolves({ status: "done", summary: "all good", further: 7 })];
const closed = [shell("cat made.txt"), resolves({ note: "seen" })];

let source: GitSource;
let bench: ThreadBench;
beforeEach(() => {
  source = gitSource({ "a.txt": "a\n" });
});
afterEach(async () => {
  await bench.dispose();
  source.dispose();
});

const ran = async (...replies: Parameters<typeof scriptedModel>[0]): Promise<ThreadRecord> => {
  bench = await threadBench(scriptedModel(replies));
  const { id } = await bench.start(parent, { workflows: { child }, repository: source.repository });
  return runThread(bench.engine, id, { signal: never() });
};
const replay = (thread: ThreadRecord, options?: Parameters<typeof replayed>[2]) =>
  replayed({ root: bench.root, store: bench.store }, thread, options);

describe("a replay of a thread in which a workflow plays a role", () => {
  it("plays the inner thread in its place, in the same workspace", async () => {
    const thread = await ran(...coded, ...checked, ...closed);

    const { drift, steps } = await replay(thread);

    expect(drift).toEqual([]);
    expect(steps.map(({ within, step, role, calls: run }) => [within, step, role, run])).toEqual([
      [["builder"], 1, "coder", 1],
      [["builder"], 2, "checker", 1],
      [[], 1, "builder", 0],
      [[], 2, "closer", 1],
    ]);
    expect(await replayAll({ root: bench.root, store: bench.store })).toEqual([]);
  });

  it("shows where another inner workflow would go, and nothing of the outer one", async () => {
    const thread = await ran(...coded, ...checked, ...closed);
    const other = child
      .replace("{ from: coder, to: checker,", "{ from: coder, to: checker, when: 'output.file == \"b\"',")
      .replace("{ from: checker, to: $END }", "{ from: checker, to: $END }\n  - { from: coder, to: $END }");

    const { drift } = await replay(thread, { workflow: await loadWorkflow(other, { file: "child.yaml" }) });

    expect(drift).toMatchObject([
      {
        kind: "decision",
        within: ["builder"],
        step: 2,
        what: "The workflow ends, and went on with checker.",
      },
    ]);
  });

  it("plays one that failed, and one that asked a person and went on", async () => {
    const failed = await ran(shell("echo half > half.txt"), says("no"), says("no"), says("no"), ...closed);
    expect(await replayAll({ root: bench.root, store: bench.store })).toEqual([]);
    expect((await replay(failed)).steps[0]).toMatchObject({
      within: ["builder"],
      role: "coder",
      finished: false,
    });
    await bench.dispose();

    const asked = await ran(
      shell("echo half > half.txt"),
      resolves({ $status: "$SUSPEND", reason: "Which?" }),
      shell("cat half.txt"),
      ...coded,
      ...checked,
      ...closed,
    );
    await resumeThread(bench.engine, asked.id, "This one.");
    const completed = await runThread(bench.engine, asked.id, { signal: never() });

    const { drift, steps } = await replay(completed);

    expect([asked.status, completed.status]).toEqual(["suspended", "completed"]);
    expect(drift).toEqual([]);
    expect(steps.map(({ role }) => role)).toEqual([
      "coder",
      "builder",
      "coder",
      "checker",
      "builder",
      "closer",
    ]);
  });

  it("has its calls counted where threads are compared", async () => {
    const thread = await ran(...coded, ...checked, ...closed, ...coded, ...checked, ...closed);
    const { id } = await forkThread(bench.engine, thread.id, { at: "1", note: "Again." });
    const fork = await bench.store.thread(id);
    if (fork === undefined) throw new Error("no fork");
    const parts = { store: bench.store, baseFile: async () => null };

    const { shared, steps, a, b } = await compareThreads(parts, thread, fork);
    const whole = await compareThreads(parts, thread, (await ranAgain()) ?? thread);
    const shown = renderThreadDiff(whole, plainStyle);

    expect(shared.map(({ role }) => role)).toEqual(["builder"]);
    expect([a.calls, b.calls]).toEqual([1, 0]);
    expect(steps).toMatchObject([{ role: "closer", a: { calls: 1 }, b: null }]);
    expect(whole.steps.map(({ role, a: side }) => [role, side?.agent, side?.calls])).toEqual([
      ["builder", "workflow child", 2],
      ["closer", "builtin (scripted)", 1],
    ]);
    const [first, second] = [whole.steps[0]?.a?.childThreadId, whole.steps[0]?.b?.childThreadId];
    expect(shown).toContain(`its roles: uwf thread diff ${first?.slice(0, 13)} ${second?.slice(0, 13)}`);
    expect(shown.match(/its roles/g)).toHaveLength(1);
  });

  /** A second thread of the same workflow. */
  const ranAgain = async (): Promise<ThreadRecord> => {
    const { id } = await bench.start(parent, { workflows: { child }, repository: source.repository });
    return runThread(bench.engine, id, { signal: never() });
  };
});
