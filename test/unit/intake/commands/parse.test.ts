import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandNames, commandTable } from "../../../../src/forge/text/command-table.ts";
import { type CommandRules, mayHoldCommand, parseComment } from "../../../../src/intake/commands/parse.ts";

const rules: CommandRules = {
  mentions: ["uwf[bot]", "uwf"],
  own: { docs: "write-docs", lint: "lint-all", plan: false, deploy: false },
};
const plain: CommandRules = { mentions: ["uwf[bot]", "uwf"], own: {} };
const parse = (body: string, given: CommandRules = plain) => parseComment(body, given);
const command = (name: string, more: object = {}) => ({
  kind: "command",
  command: { name, written: name, argument: null, note: "", options: {}, ...more },
});

describe("the command in a comment", () => {
  it.each([
    ["/solve", command("solve")],
    ["/SOLVE  ", command("solve")],
    ["/solve\r\n", command("solve")],
    ["Thank you.\n\n/solve", command("solve")],
    ["/solve  only the \t parser", command("solve", { note: "only the parser" })],
    ["/solve like this\n\n```\ncode\n```\n", command("solve", { note: "like this\n```\ncode\n```" })],
    ["/fork 3 with a table", command("fork", { argument: "3", note: "with a table" })],
    [
      "/run docs\n/usr/bin is where it is",
      command("run", { argument: "docs", note: "/usr/bin is where it is" }),
    ],
    ["/run\tdocs", command("run", { argument: "docs" })],
    ["@uwf solve", command("solve")],
    ["@uwf[bot]: /solve now", command("solve", { note: "now" })],
    ["@UWF, Solve", command("solve")],
    ["> /stop\n\n/resume", command("resume")],
    ["/approve\n\nLooks good.", command("approve", { note: "Looks good." })],
    ["/fix it <!-- told by\nnobody -->\nnow", command("fix", { note: "it <!-- told by\nnobody -->\nnow" })],
    ["/stop that is wrong", command("stop", { note: "that is wrong" })],
  ])("is read from %j", (body, found) => {
    expect(parse(body)).toEqual(found);
  });

  it.each([
    ["", "nothing at all"],
    ["please /solve it", "in the middle of a line"],
    ["I said:/solve", "in another word"],
    [" /solve", "indented"],
    ["    /solve", "indented code"],
    ["> /solve", "a quotation"],
    [">/solve", "a quotation"],
    ["- /solve", "a list"],
    ["/solvent-free", "another word"],
    ["/solve.", "a word with a mark"],
    ["/solve-issue.yaml", "a file"],
    ["/usr/bin is missing", "a path"],
    ["/tmp is full", "a path"],
    ["/etc", "a path"],
    ["/cc @mona", "another program's command"],
    ["/lgtm", "another program's command"],
    ["/assign me", "another program's command"],
    ["`/solve`", "inline code"],
    ["```\n/solve\n```", "fenced code"],
    ["```\n``` not an end\n/solve\n```", "fenced code with a fence in it"],
    ["````\n```\n/solve\n````", "a longer fence"],
    ["~~~\n/solve", "an open fence"],
    ["~~~\n```\n/solve\n~~~", "another fence"],
    ["```\n    ```\n/solve\n```", "a fence too far in"],
    ["   ```\n/solve\n   ```", "an indented fence"],
    ["<!--\n/solve\n-->", "a hidden comment"],
    ["<!-- a\n\n/solve", "a hidden comment that is open"],
    ["see <!-- a\n/solve\nb --> this", "a hidden comment inside of a paragraph"],
    ["<pre>\n/solve\n</pre>", "preformatted text"],
    ["<PRE class=x>\n\n/solve\n</PRE>", "preformatted text"],
    ["@mona solve", "somebody else"],
    ["@uwf-fan solve", "somebody else"],
    ["@uwf", "a mere mention"],
    ["cc @uwf solve", "a mention in the middle"],
    ["@uwf thanks!", "thanks"],
  ])("is not in %j: %s", (body) => {
    expect(parse(body)).toEqual({ kind: "nothing" });
  });

  it.each([
    ["- ```\n  code\n  ```\n/solve", "a list with code before it"],
    ["- ```\n  code\n/solve", "a list that was left"],
    ["> ```\n> code\n/solve", "a quotation that was left"],
    ["```js inline``` code\n/solve", "code inside of a line"],
    ["<!-- template -->\n/solve", "a hidden comment that ended"],
    ["<!-- template\n-->\n/solve", "a hidden comment that ended"],
    ["`<!--` begins a comment\n/solve", "code that looks like a comment"],
    ["a <!-- b\n\n/solve", "a paragraph that ended"],
  ])("is found after %j: %s", (body) => {
    expect(parse(body)).toEqual(command("solve"));
  });

  it("is one of the repository's own words, which run a workflow, also by a mention", () => {
    const run = command("run", { written: "docs", argument: "write-docs", note: "for x" });

    expect([parse("/docs for x", rules), parse("@uwf docs for x", rules)]).toEqual([run, run]);
  });

  it("is not one that the repository has switched off", () => {
    expect([parse("/plan", rules), parse("/deploy now", rules)]).toEqual([
      { kind: "nothing" },
      { kind: "nothing" },
    ]);
    expect(parse("@uwf plan", rules)).toEqual({
      kind: "problem",
      problem: "`@uwf plan` is switched off in this repository.",
    });
  });

  it("does not take names that every object has for words of the repository", () => {
    expect(parse("/constructor", rules)).toEqual({ kind: "nothing" });
    expect(parse("@uwf constructor", rules)).toMatchObject({ kind: "problem" });
  });
});

describe("what looks like a command and is none", () => {
  it.each([
    ["/sovle", "`/sovle` is no command; did you mean `/solve`? `/help` shows all."],
    ["/approved", "`/approved` is no command; did you mean `/approve`? `/help` shows all."],
    ["@uwf dance with me", "`@uwf dance` is no command. `/help` shows all."],
    ["/solve\n/stop", "One command per comment, please: this one holds `/solve` and `/stop`."],
    ["/fork", "`/fork` needs a step: `/fork <step> [note]`."],
    ["/run", "`/run` needs a workflow: `/run <workflow> [input]`."],
    ["/approve but not step 3", "`/approve` stands alone: it goes on with exactly the plan that is shown."],
  ])("is answered: %j", (body, answer) => {
    expect(parse(body)).toEqual({ kind: "problem", problem: expect.stringContaining(answer) });
  });
});

describe("the options of a command", () => {
  it.each([
    ["/solve --model big", { options: { model: "big" } }],
    ["/solve --model=big quickly", { options: { model: "big" }, note: "quickly" }],
    ["/solve a --budget $2.50 b", { options: { budgetUsd: 2.5 }, note: "a b" }],
    ["/solve --workflow fix-it --budget=3", { options: { workflow: "fix-it", budgetUsd: 3 } }],
    ["/solve make `--verbose on` work", { note: "make `--verbose on` work" }],
    ["/solve a -- b - c -v", { note: "a -- b - c -v" }],
    ["/solve\n--model big", { note: "--model big" }],
  ])("are read from %j", (body, more) => {
    expect(parse(body)).toEqual(command("solve", more));
  });

  it.each([
    ["/design --edit triage chores, too", { options: { edit: "triage" }, note: "chores, too" }],
    ["/design --copy=review-pr", { options: { copy: "review-pr" } }],
    ["/design edit the texts", { note: "edit the texts" }],
  ])("are read from %j, too", (body, more) => {
    expect(parse(body)).toEqual(command("design", more));
  });

  it.each([
    [
      "/solve --modle big",
      "`/solve` takes `--model`, `--budget`, `--workflow`, not `--modle`; did you mean `--model`?",
    ],
    ["/plan --workflow x", "`/plan` takes `--model`, `--budget`, not `--workflow`."],
    ["/stop --model big", "`/stop` takes no options."],
    ["/solve --Model big", "not `--Model`"],
    ["/solve --model", "`--model` needs a value."],
    ["/solve --model --budget 3", "`--model` needs a value."],
    ["/solve --model= big", "`--model` needs a value."],
    ["/solve --model ../x", "`--model` needs a name."],
    ["/solve --workflow `x`", "`--workflow` needs a name."],
    ["/solve --budget lots", "`--budget` needs US dollars, as in `--budget 3`."],
    ["/solve --budget 0", "`--budget` needs US dollars"],
    ["/solve --budget -1", "`--budget` needs US dollars"],
    ["/solve --budget 1e9", "`--budget` needs US dollars"],
    ["/solve --budget 99999999", "`--budget` needs US dollars"],
    ["/solve --budget 1 --budget 2", "`--budget` is given twice."],
    ["/solve --model a --model=b", "`--model` is given twice."],
    ["/solve --edit triage", "not `--edit`"],
    ["/design --edit ../triage", "`--edit` needs a name."],
    ["/design --edit a --copy b", "`/design` takes `--edit` or `--copy`, not both."],
  ])("are refused in %j", (body, answer) => {
    expect(parse(body)).toEqual({ kind: "problem", problem: expect.stringContaining(answer) });
  });

  it("are answered shortly, however long they are", () => {
    const answer = parse(`/solve --${"x".repeat(90_000)}`);

    expect(answer).toMatchObject({ kind: "problem" });
    expect(JSON.stringify(answer).length).toBeLessThan(400);
  });
});

const line = fc.oneof(
  fc.constantFrom(
    ...commandNames.map((name) => `/${name}`),
    "/run x",
    "/solve --budget 3",
    "@uwf solve",
    "/docs",
  ),
  fc.constantFrom("```", "~~~~", "> q", "- ```", "  ```", "<!--", "-->", "<pre>", "</pre>", "", "text", "`x"),
  fc.string({ maxLength: 30, unit: "binary" }),
);
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));

describe("any comment", () => {
  it("is read without an error, and holds no command when none was thought possible", () => {
    fc.assert(
      fc.property(text, (body) => {
        const parsed = parse(body, rules);
        if (!mayHoldCommand(body)) expect(parsed).toEqual({ kind: "nothing" });
        if (parsed.kind === "command") {
          const { name, note, options } = parsed.command;
          expect(note.isWellFormed() && note.length <= 10_000).toBe(true);
          const { budgetUsd, ...others } = options;
          const given = [...Object.keys(others), ...(budgetUsd === undefined ? [] : ["budget"])];
          expect(commandTable[name].options).toEqual(expect.arrayContaining(given));
        }
      }),
    );
  });

  it.each([
    ["as code", (body: string) => `\`\`\`\`\`\`\`\n${body.replaceAll("`", "'")}\n\`\`\`\`\`\`\``],
    [
      "as a quotation",
      (body: string) => body.replace(/\r\n?|[\n\u2028\u2029\u0085]/g, "\n").replace(/^/gm, "> "),
    ],
    ["hidden", (body: string) => `<!--\n${body.replaceAll("-->", "")}\n-->`],
  ])("holds no command %s", (_, wrap) => {
    fc.assert(
      fc.property(text, (body) => {
        expect(parse(wrap(body), rules)).toEqual({ kind: "nothing" });
      }),
    );
  });

  it.each([
    ["open comments", "<!--".repeat(25_000)],
    ["backticks", "`".repeat(100_000)],
    ["slashes", "/aaaa\n".repeat(16_000)],
    ["mentions", "@uwf ".repeat(20_000)],
    ["spaces", `/solve${" ".repeat(99_000)}x`],
    ["fences", "- ```\n".repeat(16_000)],
  ])("is read in no time, whatever it is full of: %s", (_, body) => {
    const before = performance.now();

    parse(body, rules);
    mayHoldCommand(body);

    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
