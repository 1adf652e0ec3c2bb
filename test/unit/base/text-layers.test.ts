import { describe, expect, it } from "vitest";
import { textLayers } from "../../../src/base/text-layers.ts";

const layersOf = (text: string): string[] =>
  textLayers(text).map(({ units, length }) => String.fromCharCode(...units.subarray(0, length)));

/** For each character of the deepest layer, the part of the text that it stands for. */
const partsOf = (text: string): string[] => {
  const layer = textLayers(text).at(-1);
  return Array.from({ length: layer?.length ?? 0 }, (_, at) => text.slice(layer?.from[at], layer?.to[at]));
};

describe("textLayers", () => {
  it.each([
    ["a text as it is", "a b=c\\d&e%f", "a b=c\\d&e%f"],
    ["no line end, and no indent after it", "a\n  \t b\r\nc", "abc"],
    ["spaces inside a line", "a  \tb", "a  b"],
    ["no control character", "a\0b\x07c\x7fd\te", "abcde"],
    ["no terminal sequence", "a\x1b[1;31mb\x1b[0mc\x1b[?25ld", "abcd"],
    ["what follows another sequence", "a\x1b]b", "a]b"],
    ["nothing after a sequence that is cut off", "a\x1b[1;3", "a"],
    ["no soft line end of a mail", "a=\nb=\r\nc=d=", "abc=d="],
    ["no line end of a shell", "a\\\nb\\\r\nc", "abc"],
    ["a mail's sign before no line end", "a=\rb", "a=b"],
    ["no soft hyphen, joiner or mark", "a\u00adb\u200bc\u200fd\u2060e\u206ff\ufeffg\ufe0fh", "abcdefgh"],
    ["nothing that reorders", "a\u202eb\u2028c\u061cd\u034fe\u180ef", "abcdef"],
    ["no tag", "a\u{e0041}b", "ab"],
    [
      "letters beside those",
      "a\u00ac\u00ae\u200a\u2010\u2027\u202f\u205f\u2070\ufdff\ufe10\ufefe\ufffdb",
      "a\u00ac\u00ae\u200a\u2010\u2027\u202f\u205f\u2070\ufdff\ufe10\ufefe\ufffdb",
    ],
    ["another plane", "a\u{1f600}b", "a\u{1f600}b"],
  ])("has first %s", (_, text, first) => {
    expect(layersOf(text)[0]).toBe(first);
  });

  it.each([
    ["%41%7a%7A", "Azz"],
    ["%80%ff", null],
    ["%4 %g1 %", null],
    ["%e4%41", "%e4A"],
    ["\\u0041\\u00e9", "Aé"],
    ["\\u004 \\u00g1", null],
    ["\\x41\\x7A", "Az"],
    ["\\x4", null],
    ["\\101\\377", "A\u00ff"],
    ["\\400\\18", null],
    ["\\\"\\'\\/\\\\", "\"'/\\"],
    ["a\\nb\\rc\\td\\be\\ff", "abcdef"],
    ["\\q\\", null],
    ["&amp;&lt;&gt;&quot;&apos;", "&<>\"'"],
    ["&sol;&plus;&equals;&colon;&period;&lowbar;&hyphen;", "/+=:._-"],
    ["&#65;&#x41;&#X0041;", "AAA"],
    ["&#1114111;&#x1ffff;&nbsp;&;&#;", null],
    ["&#65", null],
  ])("reads %s as %s", (text, read) => {
    expect(layersOf(text)[1] ?? null).toBe(read);
  });

  it("reads escapes in escapes, twice", () => {
    expect(layersOf("%255cu0041")).toEqual(["%255cu0041", "%5cu0041", "\\u0041"]);
  });

  it("says nothing twice where no escape is", () => {
    expect(layersOf("plain")).toEqual(["plain"]);
    expect(layersOf("")).toEqual([""]);
  });

  it("knows which part of the text each character stands for", () => {
    expect(partsOf("a\n%41&#x42;\\u0043d")).toEqual(["a", "%41", "&#x42;", "\\u0043", "d"]);
    expect(partsOf("%2541")).toEqual(["%2541"]);
    expect(partsOf("x\u200b%0a  y")).toEqual(["x", "y"]);
  });
});
