import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { calls, resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { pauseThread, resumeThread } from "../../../src/thread/commands.ts";
import type { RunOptions } from "../../../src/thread/control.ts";
import type { Publisher } from "../../../src/thread/publisher.ts";
import { runThread } from "../../../src/thread/run.ts";
import { gitSource } from "../../fixtures/git-source.ts";
import { submittingWorkflow } from "../../fixtures/submitting-workflow.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const twoRoles = `
version: 1
name: two
description: Two roles in a row.
roles:
  first:
    description: Begins.
    systemPrompt: You begin.
    limits: { maxTurns: 3 }
    schema: { type: object, required: [found], properties: { found: { type: string } } }
  second:
    description: Ends.
    systemPrompt: You end.
    schema: { type: object, required: [done], properties: { done: { const: true } } }
moderator:
  - { from: $START, to: first }
  - { from: first, to: second }
  - { from: second, to: $END }
`;

const tokens = (inputTokens: number) => ({
  inputTokens,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: null,
});
const limits = { pauseAfterRounds: 40, budgetUsd: null, budgetTokens: 1000 };
const down = () => new AppError("The provider is down.", { code: "model-unavailable", remedy: "retry" });
const MINUTE = 60_000;

let bench: ThreadBench;
afterEach(() => bench.dispose());

const run = (id: Parameters<typeof runThread>[1], options: Partial<RunOptions> = {}) =>
  runThread(bench.engine, id, { signal: new AbortController().signal, ...options });

describe("a budget", () => {
  it("is whole again after a resume, also for the step in whose middle it ended", async () => {
    const model = scriptedModel([
      { ...calls("list_files", {}), usage: tokens(2000) },
      { ...calls("read_file", { path: "not-taken" }), usage: tokens(10) },
      { ...resolves({ found: "x" }), usage: tokens(100) },
      { ...resolves({ done: true }), usage: tokens(100) },
    ]);
    bench = await threadBench(model);
    const { id } = await bench.start(twoRoles.replace("maxTurns: 3", "maxTurns: 30"), { limits });

    const paused = await run(id);
    await resumeThread(bench.engine, id, null);
    const record = await run(id);

    expect(paused).toMatchObject({
      status: "paused",
      reason: expect.stringContaining("budget of 1000 tokens"),
    });
    expect(record).toMatchObject({ status: "completed", reason: null });
    model.assertDone();
  });

  it("of turns is whole again after a resume", async () => {
    const model = scriptedModel([
      calls("list_files", {}),
      calls("list_files", { depth: 3 }),
      calls("list_files", { depth: 4 }),
      resolves({ found: "x" }),
      resolves({ done: true }),
    ]);
    bench = await threadBench(model);
    const { id } = await bench.start(twoRoles);

    const failed = await run(id);
    await resumeThread(bench.engine, id, "Be quick.");
    const record = await run(id);

    expect(failed).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^The role "[a-z]+" did not finish within its 3 turns/),
    });
    expect(record.status).toBe("completed");
    model.assertDone();
  });
});

describe("a passing failure", () => {
  const benchAt = async (script: Parameters<typeof scriptedModel>[0]) => {
    const clock = { ms: 1_800_000_000_000 };
    const model = scriptedModel(script);
    bench = await threadBench(model, { now: () => clock.ms });
    return { clock, model };
  };

  it("hands the thread back with its turns and says when to come again", async () => {
    const { model, clock } = await benchAt([
      calls("write_file", { path: "a.txt", content: "a\n" }),
      new AppError("Too many requests.", { code: "model-unavailable", remedy: "retry", retryAfterMs: 7000 }),
      resolves({ found: "a.txt" }),
      resolves({ done: true }),
    ]);
    const { id } = await bench.start(twoRoles);

    const waiting = await run(id, { waitOutMs: 60 * MINUTE });
    const record = await run(id, { waitOutMs: 60 * MINUTE });

    expect(waiting).toMatchObject({
      status: "queued",
      reason: expect.stringContaining("Too many requests."),
      dueAt: clock.ms + 7000,
    });
    expect(waiting.tip).not.toBeNull();
    expect(record).toMatchObject({ status: "completed", reason: null });
    model.assertDone();
  });

  it("ends the thread when it has not got further for too long", async () => {
    const { clock } = await benchAt([down(), down(), down()]);
    const { id } = await bench.start(twoRoles);

    await run(id, { waitOutMs: 60 * MINUTE });
    clock.ms += 30 * MINUTE;
    expect(await run(id, { waitOutMs: 60 * MINUTE })).toMatchObject({ status: "queued" });
    clock.ms += 31 * MINUTE;
    const record = await run(id, { waitOutMs: 60 * MINUTE });

    expect(record).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/first: The provider is down\. .*61 minutes.*/),
    });
  });

  it("waits as long again as it has waited, within bounds", async () => {
    const waits = [0, 3_000, 20 * MINUTE];
    const { clock } = await benchAt(waits.map(down));
    const { id, createdAt } = await bench.start(twoRoles);

    const due: number[] = [];
    for (const waited of waits) {
      clock.ms = createdAt + waited;
      due.push((await run(id, { waitOutMs: 60 * MINUTE })).dueAt - clock.ms);
    }

    expect(due).toEqual([1_000, 3_000, 5 * MINUTE]);
  });

  it("is asked again after an hour at the latest", async () => {
    const day = 24 * 60 * MINUTE;
    const { clock } = await benchAt([
      new AppError("Not today.", { code: "model-unavailable", remedy: "retry", retryAfterMs: day }),
    ]);
    const { id } = await bench.start(twoRoles);

    expect((await run(id, { waitOutMs: 60 * MINUTE })).dueAt).toBe(clock.ms + 60 * MINUTE);
  });

  it("ends the thread at once where nobody would bring it back", async () => {
    await benchAt([down()]);
    const { id } = await bench.start(twoRoles);

    expect(await run(id)).toMatchObject({ status: "failed", reason: expect.stringContaining("is down") });
  });

  it("is none when the context is too long: asking again costs the same again", async () => {
    await benchAt([new AppError("Too long.", { code: "model-context-overflow", remedy: "retry" })]);
    const { id } = await bench.start(twoRoles);

    expect(await run(id, { waitOutMs: 60 * MINUTE })).toMatchObject({ status: "failed" });
  });

  it("of the forge while it publishes costs no further turn of the model", async () => {
    const model = scriptedModel([resolves({ title: "x", body: "y" })]);
    const source = gitSource({ "a.txt": "a\n" });
    let tries = 0;
    const publisher: Publisher = {
      publish: async () => {
        if (++tries === 1) throw new AppError("503", { code: "forge-unavailable", remedy: "retry" });
        return { branch: "uwf/x", commit: "c".repeat(40), url: null, title: "x", body: "" };
      },
      publishPartial: async () => null,
    };
    bench = await threadBench(model, { publisher });
    const { id } = await bench.start(submittingWorkflow, { repository: source.repository });

    expect(await run(id, { waitOutMs: 60 * MINUTE })).toMatchObject({ status: "queued" });
    const record = await run(id, { waitOutMs: 60 * MINUTE });

    expect([record.status, tries]).toEqual(["completed", 2]);
    model.assertDone();
    source.dispose();
  });

  it("is not thrown when a person paused the thread meanwhile", async () => {
    await benchAt([
      async () => {
        await pauseThread(bench.engine, id);
        return down();
      },
    ]);
    const { id } = await bench.start(twoRoles);

    expect(await run(id, { waitOutMs: 60 * MINUTE })).toMatchObject({ status: "paused" });
  });
});
