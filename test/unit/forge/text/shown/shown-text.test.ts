import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftOutText } from "../../../../../src/forge/text/shown/left-out.ts";
import { MAX_MARKDOWN, shownMarkdown, shownPlain } from "../../../../../src/forge/text/shown/shown-text.ts";
import { hostileText } from "../../../../fixtures/hostile-text.ts";
import { seenText } from "../../../../fixtures/seen-words.ts";

describe("Markdown as people see it", () => {
  it.each([
    ["a <!-- b --> c", "a  c", "1 HTML comment"],
    ["a\n<!-- b -->\nc", "a\nc", "1 HTML comment"],
    ["a\n<!--\nb\n\nc\n-->\nd", "a\nd", "1 HTML comment"],
    ["<!-- b --> c <!-- d", " c ", "2 HTML comments"],
    ["<!-->shown", "shown", "1 HTML comment"],
    ["a\n\n<!-- never closed\n\nb", "a\n\n", "1 HTML comment"],
    ["\\`<!-- b -->\\`", "\\`\\`", "1 HTML comment"],
    ["<div>\n```\n<!-- b -->\n```", "<div>\n```\n```", "1 HTML comment"],
    ["<!--\n```\nb\n-->\nc\n```\nd", "c\n```\nd", "1 HTML comment"],
    ["a\u200b\u202eb", "ab", "2 invisible characters"],
    ["> <!-- a\n> b -->\n> c", "> \n>\n> c", "1 HTML comment"],
    ["<b title='obey these words'>bold</b>", "<b>bold</b>", "1 text behind a link, a picture or markup"],
    ["<div hidden>\n\nobey **me**\n\n</div>\n\nb", "\n****\n\n\nb", "1 hidden HTML element"],
    ["[//]: # (obey)\n\nb", "\nb", "1 unused definition"],
  ])("takes what nobody sees out of %j", async (markdown, text, left) => {
    const shown = await shownMarkdown(markdown);

    expect(shown.text).toBe(text);
    expect(leftOutText(shown.leftOut)).toBe(left);
  });

  it.each([
    "```html\n<!-- b -->\n```",
    "~~~\n<!--\n\n~~~~\nc",
    "a --> b",
    "a <!-- b\n\nc, which is shown",
    "<b>bold</b>\n\n1 < 2 && 3 > 2",
    "<details><summary>Logs</summary>\n\n```\nlog <!-- x -->\n```\n\n</details>",
    "See [the docs](https://docs.example/a?b=c#d), <https://a.example> and [it][1].\n\n[1]: https://b.example",
    "- [ ] one\n- [x] two\n\n| a | b |\n|---|---|\n| `<!-- c -->` | d |",
    "A note[^1].\n\n[^1]: With its text.\n    And more.",
    "It costs $5, not $6: 50 % less. &lt;p&gt; &amp; more",
  ])("leaves %j as it is", async (markdown) => {
    expect(await shownMarkdown(markdown)).toEqual({ text: markdown, leftOut: {} });
  });

  it("reads what a forge takes, and says how much more there was", async () => {
    const line = `${"x".repeat(99)}\n`;

    const { text, leftOut } = await shownMarkdown(line.repeat(1_000));

    expect(text).toBe(line.repeat(Math.floor(MAX_MARKDOWN / 100)).slice(0, -1));
    expect(leftOut).toEqual({ beyond: 100_000 - text.length });
  });

  it("leaves out the lines that may hide something of a text that was made to be slow", async () => {
    const { text, leftOut } = await shownMarkdown(`first\n${"[a](".repeat(15_000)}\nlast`);

    expect(text).toBe("first\nlast");
    expect(leftOut).toEqual({ unread: 1 });
  });

  it("is read while the process goes on with everything else", async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);

    await shownMarkdown(`first\n${"[a](".repeat(15_000)}\nlast`);
    clearInterval(timer);

    expect(others).toBeGreaterThan(5);
  });

  it("comes out of parts of parts without end", async () => {
    const { text } = await shownMarkdown(`${"<b>".repeat(20_000)}deep\n\nlast`);

    expect(text).not.toContain("deep");
  });
});

describe("plain text as people see it", () => {
  it("is all of it but the characters that are drawn as nothing", () => {
    expect(shownPlain("a <!-- b -->\r\n\u0007\u{e0041}c")).toEqual({
      text: "a <!-- b -->\nc",
      leftOut: { characters: 2 },
    });
  });
});

/** Words by which the text can be found again. */
const words = (names: string) => fc.integer({ min: 0, max: 999 }).map((number) => `${names}${number}z`);
const seen = fc.oneof(
  words("seen"),
  words("seen").map((word) => `**${word}** and \`${word}\``),
  words("seen").map((word) => `- ${word}\n- ${word}`),
  words("seen").map((word) => `> ${word}`),
  words("seen").map((word) => `\`\`\`\n<!-- ${word} -->\n\`\`\``),
  words("seen").map((word) => `[${word}](https://a.example)`),
  words("seen").map((word) => `<b>${word}</b>`),
);
const unseen = fc.oneof(
  words("unseen").map((word) => `<!-- ${word} -->`),
  words("unseen").map((word) => `<div hidden>\n\n${word}\n\n</div>`),
  words("unseen").map((word) => `[//]: # (${word})`),
  words("unseen").map((word) => `x [y](https://a.example "${word}")`),
  words("unseen").map((word) => `![${word}](https://a.example)`),
  words("unseen").map((word) => `<i title="${word}">x</i>`),
  words("unseen").map((word) => `[^${word}]: ${word}`),
);

describe("any text", () => {
  it("is the same a second time, and never grows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostileText, fc.string({ unit: "binary" })), async (markdown) => {
        const { text } = await shownMarkdown(markdown);

        expect(await shownMarkdown(text)).toEqual({ text, leftOut: {} });
        expect(text.length).toBeLessThanOrEqual(markdown.length);
        expect(
          isSubsequence(text, markdown.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")),
        ).toBe(true);
      }),
    );
  });

  it("keeps what is seen, and nothing of what is not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(seen, unseen), { maxLength: 12 }), async (parts) => {
        const markdown = parts.join("\n\n");

        const { text } = await shownMarkdown(markdown);

        expect(text).not.toMatch(/unseen/);
        expect(wordsIn(text)).toEqual(wordsIn(markdown).filter((word) => !word.startsWith("un")));
        expect(wordsIn(seenText(text))).toEqual(wordsIn(seenText(markdown)));
      }),
    );
  });
});

const wordsIn = (text: string): string[] => text.match(/(?:un)?seen\d+z/g) ?? [];

const isSubsequence = (part: string, whole: string): boolean => {
  let at = 0;
  for (const character of whole) if (part.startsWith(character, at)) at += character.length;
  return at === part.length;
};
