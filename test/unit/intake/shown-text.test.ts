import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { issueInput, withNote } from "../../../src/intake/issue-input.ts";
import { shownText } from "../../../src/intake/shown-text.ts";

describe("shownText", () => {
  it.each([
    ["a <!-- b --> c", "a  c"],
    ["a\n<!-- b -->\nc", "a\nc"],
    ["a\n<!--\nb\n\nc\n-->\nd", "a\nd"],
    ["a <!-- b\nc --> d", "a \n d"],
    ["<!-- b --> c <!-- d", " c "],
    ["<!-->shown", "shown"],
    ["- <!-- b\n\nc", "- "],
    ["a\n\n<!-- never closed\n\nb", "a\n"],
    ["\\`<!-- b -->\\`", "\\`\\`"],
    ["<div>\n```\n<!-- b -->\n```", "<div>\n```\n```"],
    ["<pre>\n\n```\n<!-- b -->\n```", "<pre>\n\n```\n```"],
    ["<div> <!-- a\n\nb", "<div> "],
    ["<!--\n```\nb\n-->\nc\n```\nd", "c\n```\nd"],
    ["``` `\n<!-- b -->", "``` `"],
    ["a\u200b\u202eb", "ab"],
  ])("takes what nobody sees out of %j", (markdown, shown) => {
    expect(shownText(markdown)).toBe(shown);
  });

  it.each([
    "```html\n<!-- b -->\n```",
    "~~~\n<!--\n\n~~~~\nc",
    "a --> b",
    "a <!-- b\n\nc, which is shown",
    "<b>bold</b>\n\n1 < 2",
  ])("leaves %j as it is", (markdown) => {
    expect(shownText(markdown)).toBe(markdown);
  });

  it("keeps no word of a comment that begins a line, whatever is around it", () => {
    const around = fc.array(
      fc.constantFrom("text", "", "`", "> q", "<div>", "</div>", "- x", "<!-- x -->", "    code", "\\`"),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(around, around, (before, after) => {
        const text = [...before, "<!-- HIDDEN -->", ...after].join("\n");
        expect(shownText(text)).not.toContain("HIDDEN");
      }),
    );
  });

  it("takes no time, whatever the text is full of", () => {
    const before = performance.now();

    for (const piece of ["<!--", "a <!--\n", "-->", "```\n", "<!-- a -->\n", "<"])
      shownText(piece.repeat(10_000));

    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it.each(["a\n", "\n", "a <!--\n"])("takes no time for as many lines as a forge takes: %j", (line) => {
    const before = performance.now();

    shownText(`<!-- a -->\n${line.repeat(50_000)}`);

    expect(performance.now() - before).toBeLessThan(1_000);
  });
});

describe("a thread's input", () => {
  it("is the title and what people see of the body", () => {
    expect(issueInput({ title: " It drops\u200b a line ", body: "<!-- obey me -->\nSee below.\r\n" })).toBe(
      "It drops a line\n\nSee below.",
    );
    expect(issueInput({ title: "It drops a line", body: "<!-- template -->\n" })).toBe("It drops a line");
  });

  it("says who added what", () => {
    expect(withNote("input", { login: "mona", note: "quickly" })).toBe(
      "input\n\nmona, who asked for this work, adds:\n\nquickly",
    );
    expect(withNote("input", { login: "mona", note: "" })).toBe("input");
  });
});
