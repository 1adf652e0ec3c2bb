import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ThreadId } from "../../../../src/base/ids.ts";
import { designComment } from "../../../../src/forge/text/design-comment.ts";
import type { DesignTurn } from "../../../../src/forge/text/design-turn.ts";
import { loadWorkflow } from "../../../../src/workflow/load.ts";
import { mermaid } from "../../../../src/workflow/mermaid.ts";
import { hostileText } from "../../../fixtures/hostile-text.ts";
import { expectSafe } from "../../../fixtures/safe-markdown.ts";
import { triageFile } from "../../../rigs/designer-story.ts";

const thread = "01M7XDZAYQBH3ZGNTHQM0BYJQ2" as ThreadId;
const turn = (change: Partial<DesignTurn> = {}): DesignTurn => ({
  language: "en",
  said: ["It reads each issue. Right?"],
  failed: null,
  questions: [],
  alternatives: [],
  draft: null,
  ...change,
});
const comment = (change: Partial<DesignTurn> = {}): string =>
  designComment(turn(change), { thread, step: 3, to: "mona" });

const options: DesignTurn["alternatives"] = [
  {
    title: "Answer only",
    description: "The result stands in the thread.",
    approach: "The role's answer.",
    tradeOffs: ["nobody gets mail", "it is read late"],
    complexity: "simple",
  },
];
const draft = (change: Partial<NonNullable<DesignTurn["draft"]>> = {}): Partial<DesignTurn> => ({
  draft: { name: "triage", source: triageFile, graph: null, findings: [], ...change },
});

describe("the comment with which the designer takes its turn", () => {
  it("mentions the person, and says what was said", () => {
    expect(comment()).toBe(`<!-- uwf:turn:${thread}:3 -->\n@mona:\n\nIt reads each issue. Right?`);
  });

  it("mentions nobody where nobody on the forge has asked", () => {
    expect(designComment(turn(), { thread, step: 1, to: null })).not.toContain("@");
  });

  it("numbers the questions, with likely answers, and says none of them twice", () => {
    const questions = [
      { question: "Which kinds are there?", options: ["bug", "question"] },
      { question: "What begins it?", options: [] },
    ];

    const text = comment({ said: ["Two things.", "What begins it?"], questions });

    expect(text).toContain(
      "Two things.\n\n1. Which kinds are there? (for example: bug · question)\n2. What begins it?\n\nAnswer in a comment",
    );
  });

  it("shows each way with what speaks against it", () => {
    expect(comment({ alternatives: options })).toContain(
      "1. **Answer only** (simple): The result stands in the thread.\n   - The role's answer.\n   - Trade-offs: nobody gets mail; it is read late\n\nAnswer with a number",
    );
  });

  it("draws the workflow and folds its file away, with what the checks have found", async () => {
    const graph = mermaid(await loadWorkflow(triageFile, { file: "triage.yaml" }));

    const text = comment(
      draft({ graph, findings: ["edge 2, from sorter to nobody: there is no such role"] }),
    );

    expect(text).toContain('```mermaid\nflowchart TD\n  start(["$START"])');
    expect(text).toContain("What its checks have found:\n\n- edge 2, from sorter to nobody");
    expect(text).toMatch(/<summary>The file of <code>triage<\/code><\/summary>\n\n```yaml\nversion: 1\n/);
  });

  it.each([
    ["of many lines", `${"# a line of a long comment\n".repeat(2_000)}name: triage`],
    ["of one line", `{name: triage, description: "${"a".repeat(30_000)}"}`],
    ["of a short line and a long one", `version: 1\n{name: "${"😀".repeat(20_000)}"}`],
  ])("cuts a file %s that is too long, and says how much is left", (_, source) => {
    const text = comment(draft({ source: `${source}\n` }));

    const [, shown = "", left = ""] =
      /```yaml\n([\s\S]*)\n```\n\n… ([\d,]+) more characters\n/.exec(text) ?? [];
    expect(source.startsWith(shown)).toBe(true);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.length).toBeGreaterThan(23_900);
    expect(shown.length + Number(left.replace(",", ""))).toBe(source.length);
  });

  it("is never longer than forges take", () => {
    const long = "many words ".repeat(2_000);
    const many = Array.from({ length: 12 }, () => long);

    const text = comment({
      ...{ said: [long, long], failed: null },
      questions: Array.from({ length: 5 }, () => ({ question: long, options: many })),
      alternatives: Array.from({ length: 4 }, () => ({
        ...{ title: long, description: long, approach: long },
        ...{ tradeOffs: many, complexity: "complex" as const },
      })),
      ...draft({ source: long, findings: Array.from({ length: 200 }, () => long) }),
    });

    expect(text.length).toBeLessThan(60_000);
  });

  it("spells out what nobody would see in the file, and ends no block early", () => {
    const text = comment(draft({ source: "a: \u200bx\n```\n````\n<!-- uwf:turn:x:1 -->\n" }));

    expect(text).toContain("`````yaml\na: ⟨U+200B⟩x\n```\n````\n");
    expect(text).not.toContain("<!-- uwf:turn:x");
  });

  it("says what went wrong, and how it goes on", () => {
    expect(comment({ said: [], failed: "The model gave no usable answer." })).toMatch(
      /^<!-- .* -->\n@mona:\n\n\*\*Something went wrong\.\*\* The model gave no usable answer\.\n\nA comment of yours goes on/,
    );
  });

  it("speaks Chinese to whom does", () => {
    const text = comment({ language: "zh", alternatives: options, ...draft(), failed: "没有回答。" });

    for (const words of ["简单", "取舍", "请回复编号", "triage</code> 的文件", "**出错了。**"])
      expect(text).toContain(words);
    expect(text).not.toMatch(/Trade-offs|Answer with/);
  });

  it("is safe, and keeps to its form, whatever a model says", () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (said, short, source) => {
        const text = comment({
          said: [said, short],
          questions: [{ question: short, options: [said] }],
          alternatives: [
            {
              ...{ title: short, description: said, approach: short },
              ...{ tradeOffs: [said, short], complexity: "medium" },
            },
          ],
          failed: said,
          ...draft({ name: short, source, findings: [said] }),
        });

        const html = expectSafe(text.replace("@mona", "MONA"), { boxes: 1, marks: 1 });
        expect(html).toMatch(/^<!-- uwf:turn:\w+:3 -->\n<p>MONA:<\/p>/);
        expect(html).toMatch(/tries once more\.<\/p>\s*$/);
      }),
      { numRuns: 150 },
    );
  });
});
