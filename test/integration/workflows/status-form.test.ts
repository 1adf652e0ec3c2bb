import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep, scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { isAsking } from "../../../src/thread/approval.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { runThread } from "../../../src/thread/run.ts";
import { readSituation } from "../../../src/worker/situation.ts";
import { threadView } from "../../../src/worker/thread-view.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const file = (name: string): string =>
  readFileSync(new URL(`../../fixtures/workflows/${name}.yaml`, import.meta.url), "utf8");

const INPUT = "Issue 12: the sum is wrong. It subtracts.";

let bench: ThreadBench;
let source: GitSource;
afterEach(async () => {
  await bench.dispose();
  source.dispose();
});

const begin = async (name: string, script: readonly ScriptedStep[]) => {
  const model = scriptedModel(script);
  bench = await threadBench(model);
  source = gitSource({ "lib/sum.mjs": "export const sum = (a, b) => a - b;\n" });
  const { id } = await bench.start(file(name), { input: INPUT, repository: source.repository });
  return {
    model,
    run: (): Promise<ThreadRecord> => runThread(bench.engine, id, { signal: new AbortController().signal }),
    resume: (note: string | null) => resumeThread(bench.engine, id, note),
    steps: async () => {
      const record = await bench.store.thread(id);
      return (await bench.store.history(record?.head ?? ("" as ThreadRecord["head"]))).steps;
    },
  };
};

const mend = calls("write_file", {
  path: "lib/sum.mjs",
  content: "export const sum = (a, b) => a + b;\n",
});

describe("a file of the status form", () => {
  it("goes from planner to committer through its loops, waits by an edge, and goes on again after its end", async () => {
    const thread = await begin("team", [
      resolves({ $status: "insufficient_info", question: "Which sum?" }),
      resolves({ $status: "ready", plan: "Add instead.", directory: "lib" }),
      calls("read_file", { path: "lib/sum.mjs" }),
      resolves({ $status: "done", files: "lib/sum.mjs" }),
      resolves({ $status: "rejected", comments: "Nothing was changed." }),
      calls("read_file", { path: "lib/sum.mjs" }),
      mend,
      resolves({ $status: "done" }),
      resolves({ $status: "approved" }),
      calls("shell_exec", {
        command: "node -e \"import('./lib/sum.mjs').then(m => console.log(m.sum(2, 3)))\"",
      }),
      resolves({ $status: "passed" }),
      resolves({ $status: "committed", message: "Add" }),
      resolves({ $status: "ready", plan: "Rename it.", directory: "" }),
      resolves({ $status: "failed", reason: "No." }),
    ]);

    const waiting = await thread.run();
    expect(waiting).toMatchObject({ status: "suspended", reason: "More is needed: Which sum?" });
    expect(await isAsking(bench.store, waiting)).toBe(true);
    const { awaits } = await threadView(bench.store, await readSituation(bench.store, waiting), Date.now());
    expect(awaits).toEqual({ kind: "answer", question: "More is needed: Which sum?" });

    await thread.resume(null);
    expect(await thread.run()).toMatchObject({ status: "suspended", reason: "More is needed: Which sum?" });

    await thread.resume("The one in lib.");
    expect(await thread.run()).toMatchObject({ status: "completed" });
    const steps = await thread.steps();
    expect(steps.map(({ step }) => step.role)).toEqual([
      "planner",
      "planner",
      "coder",
      "reviewer",
      "coder",
      "reviewer",
      "tester",
      "committer",
    ]);
    const [first, again, coder, reviewer, coderAgain, reviewerAgain] = steps.map(({ step }) => step.task);
    expect(first).toBe(
      `Analyze the issue and produce a plan.\n\nThis is part of the following work:\n\n<work>\n${INPUT}\n</work>`,
    );
    expect(again).toContain("More is needed: Which sum?");
    expect(again).toContain("The one in lib.");
    expect(coder).toMatch(/^Implement the plan: Add instead\.\.\s+Work in lib\.\n\nThis is part of/);
    expect(coder).toContain(INPUT);
    expect(coder).toContain('<answer role="planner">');
    expect(reviewer).toMatch(/^Review lib\/sum\.mjs\./);
    expect(coderAgain).toMatch(/^The reviewer rejected it: Nothing was changed\.\. Mend that\./);
    expect(reviewerAgain).toMatch(/^Review \./);
    expect(thread.model.asked[10]?.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("5"),
    });

    await thread.resume("Rename it, too.");
    expect(await thread.run()).toMatchObject({ status: "completed" });
    const more = (await thread.steps()).slice(8);
    expect(more.map(({ step }) => step.role)).toEqual(["planner", "coder"]);
    expect(more[0]?.step.task).toMatch(/^Review what was done before, and continue the work\./);
    expect(more[0]?.step.task).toContain('<answer role="committer">');
    expect(more[0]?.step.task).toContain("Rename it, too.");
    expect(more[1]?.step.task).not.toContain("Work in");
    thread.model.assertDone();
  });

  it("passes on the text of an answer, and waits where a role answers $SUSPEND", async () => {
    const thread = await begin("dialogue", [
      resolves({ $status: "respond", insight: "Tests help.", _body: "# Mine\n\nTests help." }),
      resolves({ $status: "$SUSPEND", reason: "What is it about?" }),
      resolves({ $status: "ask", question: "Always?" }),
      resolves({ $status: "synthesis", _body: "Mostly." }),
      resolves({ $status: "done", summary: "Tests mostly help." }),
      resolves({ $status: "done", summary: "They help." }),
    ]);

    expect(await thread.run()).toMatchObject({ status: "suspended", reason: "What is it about?" });
    await thread.resume("About tests.");
    expect(await thread.run()).toMatchObject({ status: "completed" });
    await thread.resume(null);
    expect(await thread.run()).toMatchObject({ status: "completed" });

    const steps = (await thread.steps()).map(({ step }) => step);
    expect(steps.map(({ role }) => role)).toEqual([
      "thinker",
      "questioner",
      "questioner",
      "thinker",
      "host",
      "host",
    ]);
    expect(steps[1]?.task).toMatch(
      /^The thinker says:\n\n# Mine\n\nTests help\.\n\nThe insight: Tests help\./,
    );
    expect(steps[2]?.task).toContain("About tests.");
    expect(steps[4]?.task).toMatch(/^The thinker has come to this:\n\nMostly\./);
    expect(steps[5]?.task).toMatch(/^Say it more shortly\./);
    thread.model.assertDone();
  });

  it("takes `_` for whatever the status is", async () => {
    const thread = await begin("oldest", [
      resolves({ found: "a library" }),
      resolves({ $status: "unsure", why: "There may be more." }),
      resolves({ found: "a test" }),
      calls("write_file", { path: "NOTES.md", content: "A library and a test.\n" }),
      resolves({ $status: "written" }),
      resolves({ found: "notes" }),
      resolves({ $status: "written" }),
    ]);

    expect(await thread.run()).toMatchObject({ status: "completed" });
    await thread.resume("Look again.");
    expect(await thread.run()).toMatchObject({ status: "completed" });

    const tasks = (await thread.steps()).map(({ step }) => `${step.role}: ${step.task.split("\n")[0]}`);
    expect(tasks).toEqual([
      "scout: Look around.",
      "writer: Write down: a library",
      "scout: Look again: There may be more.",
      "writer: Write down: a test",
      "scout: Look around.",
      "writer: Write down: notes",
    ]);
    thread.model.assertDone();
  });
});

describe("a table with the names that it had first", () => {
  it("tells roles what is taken from their answers, and waits where an edge leads to $SUSPEND", async () => {
    const thread = await begin("table", [
      resolves({
        repoPath: ".",
        defaultBranch: "main",
        conventions: null,
        toolchain: { test: "node --test" },
      }),
      resolves({ status: "blocked" }),
      resolves({ status: "blocked" }),
      resolves({ status: "blocked", summary: "The tests hang." }),
      resolves({ status: "done", summary: "They do not any more." }),
      resolves({ title: "Add" }),
    ]);

    const waiting = await thread.run();
    await thread.resume("Try with a timeout.");
    const done = await thread.run();

    expect(waiting).toMatchObject({ status: "suspended", reason: "Blocked three times: The tests hang." });
    expect(done.status).toBe("completed");
    expect(thread.model.asked[0]?.[0]?.content).toContain(
      "You are a **preparer** for a software task.\n\n## Answer\n\nExtract the structured result of the preparation as JSON.",
    );
    expect(thread.model.asked[5]?.[0]?.content).not.toContain("## Answer");
    expect((await thread.steps())[4]?.step.task).toContain("Try with a timeout.");
    thread.model.assertDone();
  });
});
