import { describe, expect, it } from "vitest";
import { lineCounts, lineDiff, shortDiff } from "../../../src/base/line-diff.ts";

const text = (diff: ReturnType<typeof lineDiff>): string[] => diff.map(({ mark, text }) => mark + text);

describe("lineDiff", () => {
  it.each([
    ["", "", []],
    ["a\n", "", ["-a"]],
    ["", "a\nb\n", ["+a", "+b"]],
    ["a\nb\nc\n", "a\nB\nc\n", [" a", "-b", "+B", " c"]],
    ["a\nb\nc\nd\n", "b\nx\nd\ne\n", ["-a", " b", "-c", "+x", " d", "+e"]],
    ["a\na\nb\n", "a\nb\n", [" a", "-a", " b"]],
  ])("turns %j into %j", (before, after, expected) => {
    expect(text(lineDiff(before, after))).toEqual(expected);
  });

  it("gives both texts back, whatever they are", () => {
    for (let round = 0; round < 200; round++) {
      const some = () =>
        Array.from(
          { length: 1 + Math.floor(Math.random() * 12) },
          () => "abc"[Math.floor(Math.random() * 3)],
        );
      const [before, after] = [some(), some()];
      const diff = lineDiff(before.join("\n"), after.join("\n"));
      const side = (mark: string) => diff.filter((line) => line.mark !== mark).map((line) => line.text);
      expect(side("+")).toEqual(before);
      expect(side("-")).toEqual(after);
    }
  });

  it("gives texts that would take too long as replaced as a whole", () => {
    const long = (letter: string) => Array.from({ length: 3_000 }, (_, n) => `${letter}${n}`).join("\n");

    expect(lineCounts(lineDiff(long("a"), long("b")))).toEqual({ added: 3_000, removed: 3_000 });
  });
});

describe("shortDiff", () => {
  it("shows what differs with its neighbours, and dots for the rest", () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
    const changed = lines.map((line, n) => (n === 3 || n === 15 ? `${line}!` : line));

    expect(shortDiff(lines.join("\n"), changed.join("\n"))).toEqual([
      ...["  line 2", "- line 3", "+ line 3!", "  line 4"],
      "…",
      ...["  line 14", "- line 15", "+ line 15!", "  line 16"],
    ]);
  });

  it("ends after so many lines, and cuts long ones", () => {
    const after = Array.from({ length: 100 }, (_, n) => `${n}`.repeat(500)).join("\n");

    const diff = shortDiff("", after, { maxLines: 5 });

    expect(diff).toHaveLength(6);
    expect(diff.at(-1)).toBe("…");
    expect(Math.max(...diff.map((line) => line.length))).toBeLessThan(210);
  });

  it("leaves out empty neighbours at its ends", () => {
    expect(shortDiff("\na\n\nb\n", "\nA\n\nb\n")).toEqual(["- a", "+ A"]);
    expect(shortDiff("a\n", "a\n\n")).toEqual(["  a", "+ "]);
  });

  it("is empty for the same text", () => {
    expect(shortDiff("a\nb\n", "a\nb\n")).toEqual([]);
  });
});
