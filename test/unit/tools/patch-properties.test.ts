import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff } from "../../../src/tools/patch/line-diff.ts";
import { findChange } from "../../../src/tools/patch/match.ts";
import { replaceHits } from "../../../src/tools/patch/replace.ts";

const line = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\t", "\u201C", '"', "$", "&", "\u{1F600}"),
  maxLength: 5,
});
const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
/** Occurs nowhere else: the alphabet above has no such character. */
const unique = fc.tuple(line, line).map(([a, b]) => `${a}<\n>${b}`);

const patch = (source: string, change: { old: string; new: string }): string | null => {
  const match = findChange(source, change);
  return match === null || match.hits.length !== 1 ? null : replaceHits(source, match).text;
};

const crlf = (value: string): string => value.replaceAll("\n", "\r\n");

describe("patching a text that occurs once", () => {
  it("replaces exactly that, whatever stands around and in it", () => {
    fc.assert(
      fc.property(text, unique, text, text, (before, old, after, next) => {
        expect(patch(before + old + after, { old, new: next })).toBe(before + next + after);
      }),
    );
  });

  it("does the same in a CRLF file, with CRLF", () => {
    fc.assert(
      fc.property(text, unique, text, text, (before, old, after, next) => {
        const source = crlf(before + old + after);

        expect(patch(source, { old, new: next })).toBe(crlf(before + next + after));
      }),
    );
  });

  it("loses nothing outside when it matches without the spaces that end lines", () => {
    fc.assert(
      fc.property(text, text, text, (before, after, next) => {
        const source = `${before}\n<one  \n\ttwo>\n${after}`;

        expect(patch(source, { old: "<one\n\ttwo>", new: `<${next}>` })).toBe(
          `${before}\n<${next}>\n${after}`,
        );
      }),
    );
  });
});

describe("lineDiff", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });

  it("turns the one list into the other, outside its hunks nothing differs", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const made: string[] = [];
        let at = 0;
        for (const hunk of lineDiff(before, after)) {
          made.push(...before.slice(at, hunk.oldStart));
          expect(made.length).toBe(hunk.newStart);
          made.push(...after.slice(hunk.newStart, hunk.newEnd));
          at = hunk.oldEnd;
        }
        expect([...made, ...before.slice(at)]).toEqual(after);
      }),
    );
  });

  it("finds the fewest edits", () => {
    const hunks = lineDiff([..."abcabba"], [..."cbabac"]);

    expect(hunks.reduce((sum, h) => sum + h.oldEnd - h.oldStart + h.newEnd - h.newStart, 0)).toBe(5);
  });

  it("answers one hunk for texts that have little in common", () => {
    const before = Array.from({ length: 3000 }, (_, i) => `old ${i}`);
    const after = Array.from({ length: 3000 }, (_, i) => `new ${i}`);

    expect(lineDiff(before, after)).toEqual([{ oldStart: 0, oldEnd: 3000, newStart: 0, newEnd: 3000 }]);
  });
});
