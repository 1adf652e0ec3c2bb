import { describe, expect, it } from "vitest";
import { amounts, count, duration, money } from "../../../../src/forge/text/amounts.ts";

describe("amounts", () => {
  it.each([
    [0, "0 s"],
    [240, "<1 s"],
    [9_000, "9 s"],
    [9_990, "10 s"],
    [48_400, "48 s"],
    [59_600, "1 min"],
    [192_000, "3 min 12 s"],
    [3_600_000, "1 h"],
    [3_840_000, "1 h 4 min"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1k"],
    [4_120, "4.1k"],
    [41_900, "42k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [1_230_000, "1.2M"],
  ])("writes %d tokens as %s", (tokens, text) => {
    expect(count(tokens)).toBe(text);
  });

  it.each([
    [0, "$0.00"],
    [0.0001, "<$0.01"],
    [0.005, "$0.01"],
    [1.234, "$1.23"],
  ])("writes %d dollars as %s", (usd, text) => {
    expect(money(usd)).toBe(text);
  });

  it("leaves out what is not known and what was not spent", () => {
    const usage = { inputTokens: 900, cachedInputTokens: 0, outputTokens: 50, costUsd: null };

    expect(amounts({ ms: 2_000, usage })).toBe("2 s · 950 tokens");
    expect(amounts({ ms: null, usage: { ...usage, costUsd: 0.5 } })).toBe("950 tokens · $0.50");
    expect(amounts({ ms: 0, usage: { ...usage, inputTokens: 0, outputTokens: 0, costUsd: 0 } })).toBe("0 s");
    expect(amounts({ ms: null, usage: null })).toBe("");
  });
});
