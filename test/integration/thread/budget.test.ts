import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep, scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { Usage } from "../../../src/store/payload.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { runThread } from "../../../src/thread/run.ts";
import { spentSince } from "../../../src/thread/spending.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const oneRole = (limits = "{}") => `
version: 1
name: one
description: One role.
roles:
  only:
    description: Works.
    systemPrompt: You work.
    tools: [list_files]
    limits: ${limits}
    schema: { type: object, required: [done], properties: { done: { const: true } } }
moderator:
  - { from: $START, to: only }
  - { from: only, to: $END }
`;

/** US dollars per million tokens: a token costs a thousandth of a cent. */
const price = { input: 10, output: 10 };
const limits = { pauseAfterRounds: 40, budgetUsd: 1, budgetTokens: null };
const usd = (costUsd: number): Usage => ({
  inputTokens: 100,
  cachedInputTokens: 0,
  outputTokens: 10,
  costUsd,
});

let bench: ThreadBench;
afterEach(() => bench.dispose());

const run = (id: Parameters<typeof runThread>[1]) =>
  runThread(bench.engine, id, { signal: new AbortController().signal });

const spentBy = async (id: Parameters<typeof runThread>[1]): Promise<number> => {
  const record = (await bench.store.thread(id)) ?? expect.fail("no thread");
  return spentSince(bench.store, { record, history: await bench.store.history(record.head) }, 0);
};

describe("a call that the budget does not pay for", () => {
  it("is not made, when its question alone costs too much", async () => {
    const model = scriptedModel([], { price });
    bench = await threadBench(model);
    const { id } = await bench.start(oneRole(), { limits, input: "word ".repeat(100_000) });

    const record = await run(id);

    expect(record).toMatchObject({ status: "paused", reason: expect.stringContaining("$1.00 is left") });
    expect(model.requests).toEqual([]);
  });

  it("is not made, when one as dear and a last word do not fit any more", async () => {
    const model = scriptedModel(
      [
        { ...calls("list_files", {}), usage: usd(0.3) },
        { ...resolves({ done: true }), usage: usd(0.01) },
      ],
      { price },
    );
    bench = await threadBench(model);
    const { id } = await bench.start(oneRole(), { limits: { ...limits, budgetUsd: 0.5 } });

    const record = await run(id);

    expect(record.status).toBe("completed");
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", { name: "resolve" }]);
    expect(await spentBy(id)).toBeLessThanOrEqual(0.5);
  });

  it("is bounded by what is left, and by what one reply may cost", async () => {
    const model = scriptedModel([resolves({ done: true }), resolves({ done: true })], { price });
    bench = await threadBench(model);
    const small = await bench.start(oneRole(), { limits: { ...limits, budgetUsd: 0.05 } });
    const turn = await bench.start(oneRole(), { limits: { ...limits, turnUsd: 0.04 } });

    await run(small.id);
    await run(turn.id);

    const [first, second] = model.requests.map(({ maxOutputTokens }) => maxOutputTokens);
    expect(first).toBeLessThan(5_000);
    expect(second).toBeLessThan(4_000);
    expect(second).toBeGreaterThan(2_000);
  });

  it("is not made when one reply may not cost what its question does", async () => {
    const model = scriptedModel([], { price });
    bench = await threadBench(model);
    const asked = { limits: { ...limits, turnUsd: 0.001 }, input: "word ".repeat(1_000) };
    const { id } = await bench.start(oneRole(), asked);

    const record = await run(id);

    expect(record).toMatchObject({ status: "paused", reason: expect.stringContaining("$0.001 is left") });
    expect(model.requests).toEqual([]);
  });

  it("is not made for a role that has spent its own", async () => {
    const script: ScriptedStep[] = [
      { ...calls("list_files", {}), usage: usd(0.02) },
      { ...calls("list_files", { depth: 2 }), usage: usd(0.02) },
      { ...resolves({ done: true }), usage: usd(0.02) },
    ];
    const model = scriptedModel(script, { price });
    bench = await threadBench(model);
    const { id } = await bench.start(oneRole("{ budgetUsd: 0.085 }"), { limits });

    expect(await run(id)).toMatchObject({ status: "completed" });

    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", { name: "resolve" }]);
    expect(await spentBy(id)).toBeLessThanOrEqual(0.085);
  });
});

describe("a request that brought no reply", () => {
  const lost: ScriptedStep = async (_, { onLost }) => {
    await onLost?.({ reason: "acme: the stream ended", usage: usd(0.2) });
    await onLost?.({ reason: "acme: the stream ended", usage: usd(0.2) });
    return { ...resolves({ done: true }), usage: usd(0.1) };
  };

  it("is part of what the thread has spent", async () => {
    bench = await threadBench(scriptedModel([lost], { price }));
    const { id } = await bench.start(oneRole(), { limits });

    const record = await run(id);

    expect(record.status).toBe("completed");
    expect((await bench.store.history(record.head)).steps[0]?.step.usage.costUsd).toBeCloseTo(0.5);
  });

  it("is not made again when the budget is spent by it", async () => {
    bench = await threadBench(scriptedModel([lost], { price }));
    const { id } = await bench.start(oneRole(), { limits: { ...limits, budgetUsd: 0.15 } });

    expect(await run(id)).toMatchObject({
      status: "paused",
      reason: expect.stringContaining("budget of $0.15"),
    });

    expect(await spentBy(id)).toBeCloseTo(0.2);
  });
});

describe("what is spent after a person let it go on", () => {
  it("counts, however far the clocks of two machines are apart", async () => {
    const clock = { ms: 1_800_000_000_000 };
    const model = scriptedModel(
      [
        { ...calls("list_files", {}), usage: usd(0.9) },
        { ...calls("list_files", {}), usage: usd(0.01) },
        ...Array.from({ length: 9 }, (_, at) => ({
          ...calls("list_files", { depth: at + 1 }),
          usage: usd(0.3),
        })),
      ],
      { price },
    );
    bench = await threadBench(model, { now: () => clock.ms });
    const { id } = await bench.start(oneRole(), { limits });

    expect(await run(id)).toMatchObject({ status: "paused" });
    const before = await spentBy(id);
    clock.ms += 3_600_000;
    await resumeThread(bench.engine, id, null);
    clock.ms -= 3_600_000;
    await run(id);

    expect((await spentBy(id)) - before).toBeLessThanOrEqual(1);
  });
});
