import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedText } from "../../../src/tools/bounded-output.ts";
import { terminalText } from "../../../src/tools/terminal-text.ts";

const note = (cut: { lines: number; chars: number }) => `[${cut.lines} lines, ${cut.chars} characters]`;

describe("boundedText", () => {
  const bound = (text: string, maxChars: number) => boundedText(text, { maxChars, headShare: 0.2, note });

  it("leaves a short text alone", () => {
    expect(bound("a\nb", 10)).toBe("a\nb");
  });

  it("keeps whole lines, a fifth at the head, the rest at the tail", () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${String(i + 1).padStart(3, "0")}`);

    const text = bound(lines.join("\n"), 230);

    expect(text).toBe([...lines.slice(0, 4), "[78 lines, 703 characters]", ...lines.slice(82)].join("\n"));
  });

  it("cuts a single long line", () => {
    const text = bound(`${"a".repeat(500)}${"b".repeat(500)}`, 200);

    expect(text).toMatch(/^a+\n\[1 lines, \d+ characters\]\nb+$/);
  });

  it("never exceeds its bound, never splits a character, says truly how much was cut", () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "\u{1F600}", " "), maxLength: 40 }),
      fc.constant("\n"),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 80, max: 400 }),
        (pieces, maxChars) => {
          const text = pieces.join("");

          const shown = bound(text, maxChars);

          expect(shown.length).toBeLessThanOrEqual(maxChars);
          expect(shown.isWellFormed()).toBe(true);
          const cut = /\[\d+ lines, (\d+) characters\]/.exec(shown);
          if (text.length <= maxChars) expect(shown).toBe(text);
          else expect(Number(cut?.[1])).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("terminalText", () => {
  it.each([
    ["colours", "\u001B[1;31mred\u001B[0m", "red"],
    ["links and titles", "\u001B]8;;http://x\u0007link\u001B]8;;\u001B\\ \u001B]0;title\u0007", "link "],
    ["cursor movements and character sets", "a\u001B[2Kb\u001B(Bc\u001B7d\u001B=", "abcd"],
    ["a progress line drawn over and over", "10%\r50%\r100%\ndone\n", "100%\ndone\n"],
    ["a progress line erased at the end", "10%\r100%\r   \r\nok", "100%\nok"],
    ["CRLF", "a\r\nb\r\r\n", "a\nb\n"],
    ["backspaces", "\\\b|\b/\bdone", "done"],
    ["other controls", "a\u0000b\u0007c\td", "abc\td"],
    ["an unfinished sequence", "a\u001B[31", "a31"],
  ])("removes %s", (_, output, text) => {
    expect(terminalText(output)).toBe(text);
  });

  it("takes linear time", () => {
    expect(terminalText("\u001B]".repeat(200_000))).toBe("");
    expect(terminalText("\u001B[1".repeat(200_000)).length).toBeLessThan(600_000);
    const before = performance.now();
    expect(terminalText("\r".repeat(200_000))).toBe("");
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
