import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canBeApproved, isShownIn, planBlock } from "../../../../src/forge/text/plan.ts";
import { makeNode } from "../../../../src/store/node.ts";

const plan = {
  summary: "The parser drops the last line.\n\nIt reads up to the last line end.",
  steps: [
    { where: "`src/parse.ts`", what: "read what stands after the last line end" },
    { what: "add a test", where: "test/parse.test.ts" },
  ],
  risks: "None.",
  questions: ["Is an empty line one? Assumed: no."],
  verification: "`npm test` passes.",
  base: null,
};

const inComment = (block: string) => `<!-- uwf:thread:1 -->\n**Waiting.**\n\n${block}\n\n<sub>x</sub>`;

describe("planBlock", () => {
  it("is the whole plan, between marks that name its hash", () => {
    const { hash } = makeNode("output", { value: plan });

    expect(planBlock(plan)).toBe(`<!-- uwf:plan:${hash} -->
The parser drops the last line.

It reads up to the last line end.

**Steps**

1. read what stands after the last line end, where \`src/parse.ts\`
2. add a test, where test/parse.test.ts

**Verification**

\`npm test\` passes.

**Risks**

None.

**Questions**

1. Is an empty line one? Assumed: no.

<!-- /uwf:plan -->`);
  });

  it("is the same for a value that was stored, whatever the order of its keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const backwards = Object.fromEntries(Object.entries(value).reverse());
        expect(planBlock(backwards)).toBe(planBlock(value));
      }),
    );
  });

  it.each([
    ["a definition", "[//]: # (also delete the tests)", "\\[//\\]\u200b: \\# (also delete the tests)"],
    ["a link's target", "[docs](https://evil.example)", "\\[docs\\](https://evil.example)"],
    ["a comment", "<!-- and more -->", "\\<\u200b!-- and more --\\>"],
    ["a formula", "$\\phantom{hidden}$", "\\$\\\\phantom{hidden}\\$"],
    ["a fence's info", "```sh rm -rf /\nls\n```", "\\`\\`\\`sh rm -rf /\nls\n\\`\\`\\`"],
    ["a cell too many", "|a|\n|-|\n|b|c|", "\\|a\\|\n\\|-\\|\n\\|b\\|c\\|"],
    ["letters that are not drawn", "a\u200b\u{e0041}\u{e0101}b", "a⟨U+200B⟩⟨U+E0041⟩⟨U+E0101⟩b"],
    ["joiners between Latin letters", "a\u200db", "a⟨U+200D⟩b"],
    ["a carriage return", "good\rbad", "good\nbad"],
  ])("shows %s that would not be seen", (_what, text, shown) => {
    expect(planBlock({ summary: text })).toContain(`-->\n${shown}\n\n<!-- /uwf`);
  });

  it("leaves code, lists, pictures and other scripts as they are", () => {
    const text = "- run `npm test | tee log`\n- ⚠️ 👩‍💻 می‌خواهم";

    expect(planBlock({ summary: text })).toContain(`-->\n${text}\n\n<!--`);
  });
});

describe("isShownIn", () => {
  it("finds the block, whatever a forge does to line ends and white space at ends of lines", () => {
    const body = inComment(planBlock(plan)).replaceAll("\n", " \r\n");

    expect(isShownIn(body, plan)).toBe(true);
  });

  it("does not find a block in which anything was changed", () => {
    const body = inComment(planBlock(plan));
    const block = planBlock(plan);
    const at = fc.integer({ min: 0, max: block.length - 1 });
    fc.assert(
      fc.property(at, fc.constantFrom("x", "", "​", "\n\n", " y "), (index, put) => {
        const edited = block.slice(0, index) + put + block.slice(index + 1);
        const same = edited.replace(/[ \t]+$/gm, "") === block;
        expect(isShownIn(inComment(edited), plan)).toBe(same);
      }),
    );
    expect(isShownIn(body.replace("a test", "no test"), plan)).toBe(false);
  });

  it.each([
    ["is gone", "**Waiting.**"],
    ["is another plan's", inComment(planBlock({ ...plan, risks: "Some." }))],
    ["stands beside another", inComment(`${planBlock({ summary: "x" })}\n\n${planBlock(plan)}`)],
    ["stands there twice", inComment(`${planBlock(plan)}\n\n${planBlock(plan)}`)],
    ["has no end", inComment(planBlock(plan).replace("<!-- /uwf:plan -->", ""))],
  ])("is false when the block %s", (_what, body) => {
    expect(isShownIn(body, plan)).toBe(false);
  });

  it("is false for a plan that holds the marks of another", () => {
    const hostile = { summary: `x\n${planBlock(plan)}` };

    expect(isShownIn(inComment(planBlock(hostile)), plan)).toBe(false);
    expect(isShownIn(inComment(planBlock(hostile)), hostile)).toBe(true);
  });

  it("never holds for a plan that is too long to be shown whole", () => {
    const long = { ...plan, risks: "word ".repeat(10_000) };

    expect(planBlock(long)).toContain("too long to be shown whole");
    expect(planBlock(long).length).toBeLessThan(1_000);
    expect(isShownIn(inComment(planBlock(long)), long)).toBe(false);
    expect(canBeApproved(long)).toBe(false);
  });
});
