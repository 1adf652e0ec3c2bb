import { describe, expect, it } from "vitest";
import { costOf } from "../../../src/llm/price.ts";
import { estimateRequest, estimateTokens } from "../../../src/llm/tokens.ts";
import { addUsage, zeroUsage } from "../../../src/llm/usage.ts";

const tokens = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };

describe("costOf", () => {
  it("charges cached input less, by the million", () => {
    expect(costOf(tokens, { input: 1.25, cachedInput: 0.125, output: 10 })).toBeCloseTo(0.75 + 0.05 + 1, 10);
  });

  it("charges cached input in full without a price of its own", () => {
    expect(costOf(tokens, { input: 1, output: 0 })).toBeCloseTo(1, 10);
  });

  it("knows no cost without a price", () => {
    expect(costOf(tokens, undefined)).toBeNull();
  });
});

describe("addUsage", () => {
  const used = (costUsd: number | null) => ({ ...tokens, costUsd });

  it.each([
    [1, 2, 3],
    [1, null, 1],
    [null, 2, 2],
    [null, null, null],
  ])("adds costs %s and %s to %s", (a, b, sum) => {
    expect(addUsage(used(a), used(b))).toEqual({
      inputTokens: 2_000_000,
      cachedInputTokens: 800_000,
      outputTokens: 200_000,
      costUsd: sum,
    });
  });

  it("leaves an unknown cost unknown when nothing is added to it", () => {
    expect(addUsage(zeroUsage(), used(null)).costUsd).toBeNull();
    expect(addUsage(used(null), zeroUsage()).costUsd).toBeNull();
  });
});

describe("estimates", () => {
  it("counts four characters of English as a token, and each of Chinese as one", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("four char words.")).toBe(4);
    expect(estimateTokens("工作流程")).toBe(4);
  });

  it("counts tools, calls and reasoning of a request", () => {
    const bare = estimateRequest({ messages: [{ role: "user", content: "Go." }], tools: [] });
    const message = {
      role: "assistant" as const,
      content: "",
      toolCalls: [{ id: "1", name: "write_file", arguments: "x".repeat(400) }],
      reasoning: { reasoning_content: "y".repeat(400) },
    };
    const full = estimateRequest({ messages: [{ role: "user", content: "Go." }, message], tools: [] });

    expect(full - bare).toBeGreaterThanOrEqual(200);
  });
});
