import { describe, expect, it } from "vitest";
import { inlineCode } from "../../../../src/forge/text/inline-code.ts";

describe("inlineCode", () => {
  it.each([
    ["npm test", "`npm test`"],
    ["a\nb\u202e", "`a b`"],
    ["say `x`", "`` say `x` ``"],
    ["`", "`` ` ``"],
    ["a ``b`` c", "```a ``b`` c```"],
    ["", ""],
    ["x <!-- y", "`x <\u200b!-- y`"],
  ])("shows %j as %s", (text, code) => {
    expect(inlineCode(text)).toBe(code);
  });

  it("cuts what is long", () => {
    expect(inlineCode("abcdef", { maxChars: 4 })).toBe("`abc…`");
  });
});
