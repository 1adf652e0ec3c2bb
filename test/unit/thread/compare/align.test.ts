import { describe, expect, it } from "vitest";
import { align } from "../../../../src/thread/compare/align.ts";

const rows = (a: string, b: string): string[] =>
  align([...a], [...b], (one) => one).map(([left, right]) => `${left ?? "."}${right ?? "."}`);

describe("align", () => {
  it.each([
    ["", "", []],
    ["ab", "ab", ["aa", "bb"]],
    ["ab", "", ["a.", "b."]],
    ["abd", "acbd", ["aa", ".c", "bb", "dd"]],
    ["pcrt", "pcrcrt", ["pp", "cc", "rr", ".c", ".r", "tt"]],
    ["ab", "cd", ["a.", "b.", ".c", ".d"]],
  ])("puts %j beside %j", (a, b, expected) => {
    expect(rows(a, b)).toEqual(expected);
  });
});
