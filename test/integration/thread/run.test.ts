import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { Hash } from "../../../src/base/ids.ts";
import { calls, resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { cancelThread, pauseThread, removeThread, resumeThread } from "../../../src/thread/commands.ts";
import { runThread } from "../../../src/thread/run.ts";
import { gitSource } from "../../fixtures/git-source.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const twoRoles = `
version: 1
name: two
description: Two roles in a row.
roles:
  first:
    description: Begins.
    systemPrompt: You begin.
    schema: { type: object, required: [found], properties: { found: { type: string } } }
  second:
    description: Ends.
    systemPrompt: You end.
    schema: { type: object, required: [status], properties: { status: { enum: [done, again] } } }
moderator:
  - { from: $START, to: first }
  - { from: first, to: second, prompt: "Use {{ found }}." }
  - { from: second, to: $END, when: 'output.status == "done"' }
  - { from: second, to: second, when: "visits.second < 3", prompt: "Once more." }
`;

const never = () => new AbortController().signal;

let bench: ThreadBench;
afterEach(() => bench.dispose());

const benchWith = async (script: Parameters<typeof scriptedModel>[0]) => {
  const model = scriptedModel(script);
  bench = await threadBench(model);
  return model;
};

describe("runThread", () => {
  it("runs the roles in the moderator's order and completes", async () => {
    const model = await benchWith([
      calls("write_file", { path: "a.txt", content: "hello\n" }),
      resolves({ found: "a.txt" }),
      calls("shell_exec", { command: "cat a.txt" }),
      resolves({ status: "done" }),
    ]);
    const { id } = await bench.start(twoRoles, { input: "Find it." });

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record).toMatchObject({ status: "completed", reason: null, tip: null });
    const { steps, end } = await bench.store.history(record.head);
    expect(steps.map(({ step, output }) => [step.role, step.task, output])).toEqual([
      ["first", "Find it.", { found: "a.txt" }],
      ["second", "Use a.txt.", { status: "done" }],
    ]);
    expect(end).toMatchObject({ status: "completed" });
    expect(model.asked[3]?.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("hello") });
    model.assertDone();
  });

  it("takes one step at a time when asked to, and ends with the last", async () => {
    await benchWith([resolves({ found: "x" }), resolves({ status: "done" })]);
    const { id } = await bench.start(twoRoles);

    const first = await runThread(bench.engine, id, { signal: never(), maxSteps: 1 });
    const second = await runThread(bench.engine, id, { signal: never(), maxSteps: 1 });

    expect([first.status, second.status]).toEqual(["queued", "completed"]);
  });

  it("suspends when a role needs a person, and runs that role again with the note", async () => {
    const model = await benchWith([
      resolves({ found: "x" }),
      resolves({ $status: "$SUSPEND", reason: "Which one?" }),
      resolves({ status: "done" }),
    ]);
    const { id } = await bench.start(twoRoles);

    const suspended = await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, "The blue one.");
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(suspended).toMatchObject({ status: "suspended", reason: "Which one?" });
    expect(record.status).toBe("completed");
    const task = model.asked[2]?.find(({ role }) => role === "user")?.content;
    expect(task).toContain("Which one?");
    expect(task).toContain("The blue one.");
  });

  it("suspends with the reason when no edge holds", async () => {
    await benchWith([
      resolves({ found: "x" }),
      resolves({ status: "again" }),
      resolves({ status: "again" }),
      resolves({ status: "again" }),
    ]);
    const { id } = await bench.start(twoRoles);

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record).toMatchObject({
      status: "suspended",
      reason: "No edge from second holds for its last output.",
    });
  });

  it("fails with what the model said, keeps the turns, and tries the role again on resume", async () => {
    const model = await benchWith([
      calls("write_file", { path: "kept.txt", content: "partial\n" }),
      new AppError("The provider is down.", { code: "model-unavailable", remedy: "retry" }),
      resolves({ found: "x" }),
      resolves({ status: "done" }),
    ]);
    const { id } = await bench.start(twoRoles);

    const failed = await runThread(bench.engine, id, { signal: never() });
    const { end } = await bench.store.history(failed.head);
    await resumeThread(bench.engine, id, null);
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(failed).toMatchObject({ status: "failed", reason: "first: The provider is down." });
    expect(end?.turns).not.toBeNull();
    expect(record.status).toBe("completed");
    model.assertDone();
  });

  it("keeps the files of a step that failed", async () => {
    await benchWith([
      calls("write_file", { path: "kept.txt", content: "partial\n" }),
      new AppError("The provider is down.", { code: "model-unavailable", remedy: "retry" }),
    ]);
    const source = gitSource({ "a.txt": "a\n" });
    const { id } = await bench.start(twoRoles, { repository: source.repository });

    const { head } = await runThread(bench.engine, id, { signal: never() });

    const { end } = await bench.store.history(head);
    const workspace = await bench.store.load("workspace", end?.workspace ?? ("" as Hash));
    expect(workspace.files.map(({ path }) => path)).toEqual(["kept.txt"]);
    source.dispose();
  });

  it("ends with a role that answers nothing but text", async () => {
    await benchWith([says("hm"), says("hm"), says("hm"), says("hm")]);
    const { id } = await bench.start(twoRoles);

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("failed");
    expect(record.reason).toContain('The role "first" ');
  });

  it("pauses after the turn under way, and goes on from there", async () => {
    const model = await benchWith([
      async () => {
        await pauseThread(bench.engine, id);
        return calls("write_file", { path: "a.txt", content: "a\n" });
      },
      resolves({ found: "a.txt" }),
      resolves({ status: "done" }),
    ]);
    const { id } = await bench.start(twoRoles);

    const paused = await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, null);
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(paused.status).toBe("paused");
    expect(paused.tip).not.toBeNull();
    expect(record.status).toBe("completed");
    model.assertDone();
  });

  it("kills the running command when the thread is cancelled", async () => {
    await benchWith([calls("shell_exec", { command: "echo started > started.txt; sleep 300" })]);
    const { id } = await bench.start(twoRoles);

    const running = runThread(bench.engine, id, { signal: never() });
    await expect.poll(() => bench.events.some(({ kind }) => kind === "tool-started")).toBe(true);
    await cancelThread(bench.engine, id);
    const record = await running;

    expect(record.status).toBe("cancelled");
    expect((await bench.store.history(record.head)).end).toMatchObject({ status: "cancelled" });
  });

  it("pauses with a wrap-up after the configured number of steps", async () => {
    await benchWith([resolves({ found: "x" }), resolves({ status: "done" })]);
    const { id } = await bench.start(twoRoles, {
      limits: { pauseAfterRounds: 1, budgetUsd: null, budgetTokens: null },
    });

    const paused = await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, null);
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(paused).toMatchObject({
      status: "paused",
      reason: "Paused after 1 step for a person to judge. 1 steps are done.",
    });
    expect(record.status).toBe("completed");
  });

  it("asks for a wrap-up when the tokens are spent, keeps the answer and pauses", async () => {
    const model = await benchWith([
      {
        ...calls("write_file", { path: "a.txt", content: "a\n" }),
        usage: { inputTokens: 900, cachedInputTokens: 0, outputTokens: 200, costUsd: null },
      },
      resolves({ found: "part of it" }),
    ]);
    const { id } = await bench.start(twoRoles, {
      limits: { pauseAfterRounds: 40, budgetUsd: null, budgetTokens: 1000 },
    });

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("paused");
    expect(record.reason).toContain("budget of 1000 tokens is spent");
    expect((await bench.store.history(record.head)).steps).toHaveLength(1);
    expect(model.requests[1]?.toolChoice).toEqual({ name: "resolve" });
  });

  it("is handed back when the worker is stopped, and the next worker goes on", async () => {
    const stop = new AbortController();
    await benchWith([
      calls("write_file", { path: "a.txt", content: "a\n" }),
      () => {
        stop.abort();
        return resolves({ found: "never seen" });
      },
      resolves({ found: "a.txt" }),
      resolves({ status: "done" }),
    ]);
    const { id } = await bench.start(twoRoles);

    const stopped = await runThread(bench.engine, id, { signal: stop.signal });
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(stopped.status).toBe("queued");
    expect(record.status).toBe("completed");
  });

  it("lets one of two workers run a thread", async () => {
    await benchWith([resolves({ found: "x" }), resolves({ status: "done" })]);
    const { id } = await bench.start(twoRoles);
    const rival = bench.rival(scriptedModel([]));

    const [mine, theirs] = await Promise.allSettled([
      runThread(bench.engine, id, { signal: never() }),
      runThread(rival, id, { signal: never() }),
    ]);

    expect(mine).toMatchObject({ status: "fulfilled", value: { status: "completed" } });
    expect(theirs).toMatchObject({ status: "rejected", reason: { code: "thread-busy" } });
  });

  it("is removed only when it is not under way", async () => {
    await benchWith([resolves({ found: "x" }), resolves({ status: "done" })]);
    const { id } = await bench.start(twoRoles);

    await expect(removeThread(bench.engine, id)).rejects.toMatchObject({ code: "thread-not-ended" });
    await runThread(bench.engine, id, { signal: never() });
    await removeThread(bench.engine, id);

    expect(await bench.store.thread(id)).toBeUndefined();
  });
});
