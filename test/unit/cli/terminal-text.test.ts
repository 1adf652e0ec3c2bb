import { describe, expect, it } from "vitest";
import { displayWidth, plainJson, plainLine, plainText, truncate } from "../../../src/cli/terminal-text.ts";

describe("plainText", () => {
  it.each([
    ["colours", "a\u001b[31mred\u001b[0mb", "aredb"],
    ["cursor movements", "a\u001b[2J\u001b[1;1Hb", "ab"],
    ["colours in one byte", "a\u009b31mb", "ab"],
    ["a window title", "a\u001b]0;owned\u0007b", "ab"],
    ["a link", "\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["short escapes", "a\u001bcb\u001b(Bc\u001b7", "abc"],
    ["a device control string", "a\u001bP1$r\u001b\\b", "ab"],
    ["Windows line ends", "a\r\nb", "a\nb"],
    ["tabs", "a\tb", "a    b"],
  ])("leaves out %s", (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it.each([
    ["a lone carriage return", "safe\revil", "safe\u240devil"],
    ["a backspace", "a\bb", "a\u2408b"],
    ["NUL", "a\u0000b", "a\u2400b"],
    ["delete", "a\u007fb", "a\u2421b"],
    ["a turned reading direction", "a\u202eb", "a<U+202E>b"],
    ["an isolate", "a\u2066b", "a<U+2066>b"],
    ["a space without width", "a\u200bb", "a<U+200B>b"],
    ["a line separator", "a\u2028b", "a<U+2028>b"],
    ["tag characters", "a\u{e0041}b", "a<U+E0041>b"],
    ["half a pair", "a\ud800b", "a<U+D800>b"],
  ])("shows %s", (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it("hides nothing behind a sequence that does not end", () => {
    expect(plainText("a\u001b]0;rm -rf /\nmore")).toContain("rm -rf /\nmore");
  });

  it("keeps letters of all kinds", () => {
    const text = "é 中文 हिन्दी 👩‍👩‍👧 ✔️\nnext";

    expect(plainText(text)).toBe(text);
  });
});

describe("plainLine", () => {
  it("makes one line of several", () => {
    expect(plainLine("  a\n\n  b\t c ")).toBe("a b c");
  });
});

describe("plainJson", () => {
  it("writes what a terminal would act on as escapes of the same value", () => {
    const value = { text: "\u001b[31m\u202e\u009b\u{e0041}中" };

    const json = plainJson(value, 2);

    expect(json).toBe('{\n  "text": "\\u001b[31m\\u202e\\u009b\\udb40\\udc41中"\n}');
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe("truncate", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly", 7, "exactly"],
    ["too long a line", 8, "too lon…"],
    ["中文字符", 5, "中文…"],
    ["👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4, "👩‍👩‍👧…"],
    ["any", 0, ""],
  ])("cuts %j to %d columns", (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected);
    expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
  });
});
