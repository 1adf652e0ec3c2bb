import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { believedTokens } from "../../../../src/llm/openai/reported-tokens.ts";
import { costOf } from "../../../../src/llm/price.ts";
import { Usage } from "../../../../src/store/payload.ts";

const tokens = (inputTokens: number, cachedInputTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
});

describe("what a server says that a call has used", () => {
  it.each([
    ["less than nothing", tokens(-100, 0, 10)],
    ["a reply of less than nothing", tokens(100, 0, -10)],
    ["a cache of less than nothing", tokens(100, -1, 10)],
    ["nothing at all", tokens(0, 0, 0)],
    ["a reply to no question", tokens(0, 0, 10)],
    ["more than any model takes", tokens(1e15, 0, 10)],
    ["more than numbers hold", tokens(Number.POSITIVE_INFINITY, 0, 10)],
    ["no number", tokens(Number.NaN, 0, 10)],
  ])("is not believed: %s", (_, said) => {
    expect(believedTokens(said)).toBeNull();
  });

  it("is whole numbers", () => {
    expect(believedTokens(tokens(10.4, 0.2, 3.5))).toEqual(tokens(10, 0, 4));
  });

  it("counts a cache that the server counts beside the rest", () => {
    expect(believedTokens(tokens(12, 4_000, 5))).toEqual(tokens(4_012, 4_000, 5));
    expect(believedTokens(tokens(4_012, 4_000, 5))).toEqual(tokens(4_012, 4_000, 5));
  });

  it("makes a usage that can be kept, or none", () => {
    const price = { input: 3, cachedInput: 0.3, output: 15 };
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (input, cached, output) => {
        const believed = believedTokens(tokens(input, cached, output));
        if (believed === null) return;
        expect(Usage.parse({ ...believed, costUsd: costOf(believed, price) }).costUsd).toBeGreaterThanOrEqual(
          0,
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
