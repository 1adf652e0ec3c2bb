import { describe, expect, it } from "vitest";
import type { NewTurn } from "../../../src/agents/adapter.ts";
import { contextSize, needsCompaction, planCompaction } from "../../../src/agents/compaction.ts";
import type { Usage } from "../../../src/store/payload.ts";

const window = { contextTokens: 116_000, maxOutputTokens: 16_000 };
const usage = (inputTokens: number, outputTokens = 0): Usage => ({
  inputTokens,
  cachedInputTokens: 0,
  outputTokens,
  costUsd: null,
});
const task: NewTurn = { kind: "message", text: "Fix the bug.", at: 0 };
const message = (tokens: number): NewTurn => ({ kind: "message", text: "m".repeat(4 * tokens), at: 0 });
const reply = (ids: readonly string[], counted = usage(0)): NewTurn => ({
  ...{ kind: "reply", model: "m", content: "", reasoning: null, finish: "tool-calls", at: 0, ms: 0 },
  toolCalls: ids.map((id) => ({ id, name: "read_file", arguments: `{"path":"${id}"}` })),
  usage: counted,
});
const result = (callId: string, tokens: number): NewTurn => ({
  ...{ kind: "tool", name: "read_file", ok: true, seen: {}, at: 0, ms: 0 },
  callId,
  text: "r".repeat(4 * tokens),
});
const compaction = (given: { masked?: string[]; summary?: string; kept?: number }): NewTurn => ({
  ...{ kind: "compaction", masked: [], summary: "", kept: 0, usage: null, at: 0 },
  ...given,
});
/** Rounds of one read each, with results of so many thousand tokens. */
const reads = (...thousands: number[]): NewTurn[] =>
  thousands.flatMap((count, index) => [reply([`c${index}`]), result(`c${index}`, count * 1000)]);
const plan = (turns: readonly NewTurn[], size: number | null = 90_000) =>
  planCompaction(turns, { size, window });

describe("the size of the next request", () => {
  const request = { messages: [{ role: "user" as const, content: "x".repeat(400) }], tools: [] };

  it("is what the provider counted, and an estimate of what came since", () => {
    const turns = [task, reply(["a"], usage(1000, 50)), result("a", 200), message(10)];
    expect(contextSize(turns, () => request)).toBe(1260);
  });

  it("is estimated when nothing was counted", () => {
    expect(contextSize([task], () => request)).toBe(104);
    expect(contextSize([task, reply([], usage(0))], () => request)).toBe(104);
  });

  it("is estimated after a compaction", () => {
    expect(contextSize([task, reply([], usage(90_000)), compaction({ summary: "s" })], () => request)).toBe(
      104,
    );
  });
});

describe("when to compact", () => {
  it.each([
    [80_000, false],
    [80_001, true],
  ])("at 80 %% of the window without the output: %i is %s", (size, needed) => {
    expect(needsCompaction(size, window)).toBe(needed);
  });
});

describe("masking", () => {
  it("takes results older than the newest 40,000 tokens, when that wins 20,000", () => {
    expect(plan([task, ...reads(15, 15, 20, 15, 5)])).toEqual({ masked: ["c0", "c1"], summarize: null });
  });

  it("leaves results alone that were masked before", () => {
    const turns = [task, ...reads(15, 15, 25, 20, 15, 5), compaction({ masked: ["c0", "c1"], kept: 13 })];
    expect(plan(turns)).toEqual({ masked: ["c2"], summarize: null });
  });

  it("is not enough when it wins less, or when the rest is still too large", () => {
    expect(plan([task, ...reads(10, 15, 20, 5)])?.summarize).not.toBeNull();
    expect(plan([task, ...reads(15, 15, 20, 15, 5)], 115_000)?.summarize).not.toBeNull();
  });

  it("works in proportion in a small window", () => {
    const small = { contextTokens: 12_000, maxOutputTokens: 2_000 };
    const turns = [task, ...reads(2, 1, 2, 1, 1)];
    expect(planCompaction(turns, { size: 8_500, window: small })).toEqual({
      masked: ["c0", "c1"],
      summarize: null,
    });
  });
});

describe("summarising", () => {
  it("keeps the newest 20,000 tokens, calls and results whole", () => {
    const turns = [task, message(60_000), ...reads(6, 6, 6, 6)];
    const { summarize } = plan(turns) ?? {};
    expect(summarize?.kept).toBe(6);
    expect(summarize?.gone.map((turn) => turns.indexOf(turn))).toEqual([1, 2, 3]);
  });

  it("keeps what was told after the last reply with it", () => {
    const turns = [task, message(60_000), ...reads(30), message(5)];
    expect(plan(turns)?.summarize?.kept).toBe(3);
  });

  it("keeps only the last round after an overflow", () => {
    expect(plan([task, ...reads(1, 1, 1)], null)?.summarize).toMatchObject({ kept: 2 });
  });

  it("masks the largest results of a last round that is too large itself", () => {
    const last = [reply(["a", "b", "c"]), result("a", 2_000), result("b", 40_000), result("c", 3_000)];
    expect(plan([task, ...reads(30), ...last], null)).toMatchObject({
      masked: ["b"],
      summarize: { kept: 4 },
    });
    expect(plan([task, ...last], null)).toEqual({ masked: ["b"], summarize: null });
  });

  it("starts from the earlier summary", () => {
    const earlier = [task, ...reads(30, 30), compaction({ summary: "Read two files.", kept: 2 })];
    const turns = [...earlier, reply(["x"]), result("x", 30_000), reply(["y"]), result("y", 5_000)];
    const { summarize } = plan(turns, 115_000) ?? {};
    expect(summarize?.gone.map((turn) => turns.indexOf(turn))).toEqual([3, 4, 6, 7]);
    expect(summarize?.kept).toBe(2);
  });

  it("may keep turns from before an earlier compaction", () => {
    const earlier = [task, ...reads(30, 2), compaction({ summary: "Read a file.", kept: 2 })];
    const turns = [...earlier, message(70_000), ...reads(1)];
    const { summarize } = plan(turns) ?? {};
    expect(summarize?.gone.map((turn) => turns.indexOf(turn))).toEqual([3, 4, 6]);
  });

  it("gives up when there is nothing to win", () => {
    expect(plan([task], null)).toBeNull();
    expect(plan([task, message(90_000)])).toBeNull();
    expect(plan([task, ...reads(1)], null)).toBeNull();
  });
});
