import { describe, expect, it } from "vitest";
import {
  counted,
  formatAge,
  formatBytes,
  formatCount,
  formatDuration,
  formatMoney,
  formatUsage,
} from "../../../src/cli/format.ts";

describe("format", () => {
  it.each([
    [-5, "0.0s"],
    [40, "0.0s"],
    [450, "0.5s"],
    [9_940, "9.9s"],
    [9_960, "10s"],
    [59_400, "59s"],
    [59_600, "1m 00s"],
    [185_000, "3m 05s"],
    [3_725_000, "1h 02m"],
  ])("says %d ms as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [59_999, "now"],
    [60_000, "1m"],
    [7_300_000, "2h"],
    [200_000_000, "2d"],
  ])("says %d ms ago as %s", (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });

  it.each([
    [0, "$0.00"],
    [0.00001, "<$0.0001"],
    [0.0213, "$0.0213"],
    [0.05, "$0.05"],
    [0.1, "$0.10"],
    [12.345, "$12.35"],
  ])("says %d dollars as %s", (usd, text) => {
    expect(formatMoney(usd)).toBe(text);
  });

  it.each([
    [950, "950"],
    [12_345, "12.3k"],
    [999_960, "1.0M"],
  ])("says %d as %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [999_960, "1.0 MB"],
    [2_340_000_000, "2.3 GB"],
  ])("says %d bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it("leaves the money out where no price is known", () => {
    const usage = { inputTokens: 900, cachedInputTokens: 0, outputTokens: 50, costUsd: null };

    expect(formatUsage(usage)).toBe("950 tokens");
    expect(formatUsage({ ...usage, costUsd: 0.5 })).toBe("950 tokens, $0.50");
  });

  it("counts one and many", () => {
    expect([counted(1, "step"), counted(0, "step"), counted(2, "step")]).toEqual([
      "1 step",
      "0 steps",
      "2 steps",
    ]);
  });
});
