import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralize, neutralizeLine } from "../../../../src/forge/text/neutralize.ts";

/** What people see: the text without the breaks. */
const seen = (text: string): string => text.replaceAll("\u200b", "");

describe("neutralize", () => {
  it("leaves ordinary Markdown alone", () => {
    const text = [
      "# What was wrong",
      "",
      "`parse()` took **m** for `ms`; see [the docs](https://example.com/a?b=1&c=2) and #12.",
      "",
      "- one",
      "- two < three, a && b, 3 > 2",
      "",
      "| a | b |",
      "|---|---|",
      "| 1 | mail to ada@example.com |",
      "",
      "```js",
      "// @param {Array<string>} a; see #1 @ada &amp; <b>",
      "```",
      "",
      "It fixes the reader, and closes a gap.",
    ].join("\n");

    expect(neutralize(text)).toBe(text);
  });

  it.each(["@ada", "(@ada)", "**@acme/team**", "a\n@ada", "\\@ada", "`@ada`", "é@ada", "/@ada", "@_ada"])(
    "mentions nobody: %j",
    (text) => {
      expect(neutralize(text)).not.toMatch(/@[A-Za-z0-9_]/);
      expect(seen(neutralize(text))).toBe(text);
    },
  );

  it.each([
    "Fixes #1",
    "fixes: #1",
    "CLOSES #1",
    "resolved acme/other#1",
    "**Fix** [#1](x)",
    "close GH-1",
    "Resolves https://github.com/acme/other/issues/1",
    "Closes\n#1",
    "fixes \\#1",
    "fixes &#35;1",
    "Fixed #1, closes #2",
    "reopens #3",
    "_fixes_ **!4**",
  ])("closes nothing: %j", (text) => {
    const keywords = /(?<![a-z0-9])(close[sd]?|fix(e[sd])?|resolve[sd]?|reopens?)(?![a-z0-9])/i;

    expect(neutralize(text)).not.toMatch(keywords);
    expect(seen(neutralize(text))).toBe(text);
  });

  it.each([
    "Fix it [skip ci]",
    "[ci skip] fix",
    "[no ci][Skip Actions]",
    "[actions skip]",
    "[skip-ci]",
    "***NO_CI***",
    "skip-checks: true",
    "Skip-Checks:true",
  ])("stops no check: %j", (text) => {
    const marks = /\[(skip|ci|no|actions)[ -](ci|skip|actions)\]|NO_CI|skip-checks\s*:/i;

    expect(neutralize(text)).not.toMatch(marks);
    expect(neutralizeLine(text)).not.toMatch(marks);
    expect(seen(neutralize(text))).toBe(text);
  });

  it("closes nothing where a hidden character splits the keyword", () => {
    expect(neutralize("fi\u00adxes\u200b #1")).toBe("fi\u200bxes #1");
  });

  it.each(["![a](http://x/y.png)", "![a][b]", "!\u200b[a](b)", "[![a](b)](c)"])(
    "loads no image: %j",
    (text) => {
      expect(neutralize(text)).not.toContain("![");
    },
  );

  it.each([
    "<img src=x onerror=1>",
    "</details>",
    "<!-- uwf:thread:1 -->",
    "<?x?>",
    "<https://x>",
    "&commat;ada &#64;ada &#x40;ada",
  ])("holds no HTML: %j", (text) => {
    expect(neutralize(text)).not.toMatch(/<[A-Za-z/!?]|&#?\w+;/);
    expect(seen(neutralize(text))).toBe(text);
  });

  it("removes what hides or reorders text, and keeps line ends of one kind", () => {
    expect(neutralize("a\u202eb\u2066c\u0000d\u001b[31me\ufefff\u{e0041}g\r\nh\ri\u2028j\tk")).toBe(
      "abcd[31mefg\nh\ni\nj\tk",
    );
    expect(neutralize("\ud800")).toBe("\ufffd");
  });

  it("closes a block of code that was left open", () => {
    expect(neutralize("~~~~js\n@ada\n~~~")).toBe("~~~~js\n@ada\n~~~\n~~~~");
    expect(neutralize("```a`b\n@ada")).toBe("```a`b\n@\u200bada");
  });

  it("takes for code only what forges take for it, whatever it stands in", () => {
    expect(neutralize("- ```\n  x\n```\n@ada\n```\n@ada")).toBe("- ```\n  x\n```\n@ada\n```\n@\u200bada");
    expect(neutralize("x\n  ```\n@ada\n  ```")).toBe("x\n```\n@ada\n```");
    expect(neutralize("> ```\n@ada")).toContain("@\u200bada");
  });

  it("lets no comment mark or drawing stand in code", () => {
    expect(neutralize("```mermaid\n<!-- uwf:thread:1 -->\n```")).toBe(
      "```text\n<\u200b!-- uwf:thread:1 -->\n```",
    );
    expect(neutralize("```js onload=x @ada\n1\n```")).toBe("```js\n1\n```");
  });

  it("closes nothing and stops no check by code, which is none in a commit's message", () => {
    const code = "```yaml\non: push # [skip ci]\n# Fixes\n#12\n***NO_CI***\n```";

    const shown = neutralize(code);

    expect(shown).not.toMatch(/\[skip ci\]|Fixes|NO_CI/);
    expect(seen(shown)).toBe(code);
    expect(neutralize("```ts\nmail(`@ann`);\n```")).toBe("```ts\nmail(`@ann`);\n```");
  });

  it("cuts enormous texts at a line and says so, with code closed", () => {
    const cut = neutralize(`\`\`\`\n${"line\n".repeat(1000)}`, { maxChars: 100 });

    expect(cut).toMatch(/\nline\n```\n\n… 4,9\d\d more characters were left out\.$/);
    expect(neutralize("😀".repeat(100), { maxChars: 11 })).toMatch(/^😀{5}\n/u);
  });

  it("is harmless whatever it is given", () => {
    const piece = fc.constantFrom(
      ..."@ada|Fixes|fixes:| #1| |\n|\n\n|```|~~~|`|<|!|[|](x)|&#64;|&commat;|<!--|-->|<b>|>|- |\\|*|#1|acme/x#1|\u202e|\u200b|\u00ad|\r|é|😀".split(
        "|",
      ),
    );
    const text = fc
      .array(
        fc.oneof({ arbitrary: piece, weight: 5 }, { arbitrary: fc.string({ unit: "binary" }), weight: 1 }),
      )
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (input) => {
        const outside = withoutCode(neutralize(input));
        expect(outside).not.toMatch(/(?<![A-Za-z0-9])@[A-Za-z0-9_]/);
        expect(outside).not.toMatch(/<[A-Za-z/!?]|&#?\w{1,40};|!\[/);
        expect(outside).not.toMatch(/(?<![a-z0-9])(fix(e[sd])?)[^a-z0-9]{0,40}([\w.-]+\/[\w.-]+)?[#!]\d/i);
        expect([...neutralize(input)].filter(isHidden)).toEqual([]);
        expect(neutralize(input)).not.toContain("<!--");
      }),
      { numRuns: 500 },
    );
  });
});

const isHidden = (character: string): boolean =>
  /^[\p{Cc}\p{Bidi_Control}\u00ad]$/u.test(character) && character !== "\n" && character !== "\t";

/** Fenced blocks by CommonMark's rule for fences at the margin, written anew. */
const withoutCode = (text: string): string => {
  const kept: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const run = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, marks = "", rest = ""] = run ?? [];
    if (fence !== "") {
      if (marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === "") fence = "";
    } else if (/^[`~]/.test(line) && marks !== "" && !(marks[0] === "`" && rest.includes("`"))) fence = marks;
    else kept.push(line);
  }
  expect(fence).toBe("");
  return kept.join("\n");
};

describe("indented fences", () => {
  it.each([
    ["x\n ~~~\ny", "x\n~~~\ny\n~~~"],
    [
      "- run:\n  ```sh\n  npm test\n    deep\n  ```\n  @ada",
      "- run:\n```sh\nnpm test\n  deep\n```\n  @\u200bada",
    ],
    ["a\n   ```\nb\n```\n@ada", "a\n```\nb\n```\n@\u200bada"],
    ["a\n\t```\n\tb", "a\n```\nb\n```"],
  ])("are moved to where everybody sees them alike: %j", (text, shown) => {
    expect(neutralize(text)).toBe(shown);
  });
});

describe("definitions", () => {
  it.each(["[x]: https://e.example", "[^1]: a note", "> [a\nb]: /u"])("define nothing: %j", (text) => {
    expect(neutralize(text)).toBe(text.replace("]:", "]\u200b:"));
  });
});

describe("neutralizeLine", () => {
  it.each([
    ["run `npm test` and `x", "run `npm test` and 'x"],
    ["\\`a`", "\\'a'"],
    ["``a`b``", "''a'b''"],
    ["`a` `b", "`a` 'b"],
  ])("leaves no backtick that would pair with one behind it: %s", (text, line) => {
    expect(neutralizeLine(text)).toBe(line);
  });

  it("pairs backticks anew where it cuts", () => {
    expect(neutralizeLine("see `src/parser.ts`", { maxChars: 12 })).toBe("see 'src/pa…");
  });

  it("makes one line, without code blocks", () => {
    expect(neutralizeLine(" a\n\tb\u202e ```\n@ada ")).toBe("a b ''' @\u200bada");
  });

  it("cuts between characters", () => {
    expect(neutralizeLine("abc😀def", { maxChars: 5 })).toBe("abc…");
    expect(neutralizeLine("abcde", { maxChars: 5 })).toBe("abcde");
  });
});
