import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksInput } from "../../../../src/intake/follow-up/checks-input.ts";
import { relevantLog } from "../../../../src/intake/follow-up/relevant-log.ts";

const quiet = (count: number, name = "step") => Array.from({ length: count }, (_, at) => `${name} ${at}`);
/** A long log with `line` in its middle. */
const around = (line: string) => [...quiet(500, "before"), line, ...quiet(500, "after")].join("\n");

describe("relevantLog", () => {
  it("is all of a short log, without the runner's stamps", () => {
    const log = "\ufeff2026-11-21T10:00:00.1234567Z one\r\n2026-11-21T10:00:01.0Z   two\n\n";

    expect(relevantLog(log)).toBe("one\n  two");
  });

  it.each([
    "##[error]Process completed with exit code 1.",
    "::error file=a.ts::wrong",
    "TypeError: x is not a function",
    "AssertionError [ERR_ASSERTION]: 1 !== 2",
    "java.lang.NullPointerException: x",
    "not ok 10 - reads what it writes",
    "  ✖ reads what it writes",
    "# fail 3",
    "--- FAIL: TestParse (0.00s)",
    "Tests  2 failed | 6 passed, 0 errors",
    "Found 3 errors in 2 files.",
    "Tests run: 5, Failures: 1, Errors: 0",
    "thread 'main' panicked at src/main.rs:2:5",
    "error[E0308]: mismatched types",
    "Traceback (most recent call last):",
    "E       assert 1 == 2",
    "npm ERR! code ELIFECYCLE",
    "bash: foo: command not found",
    "cat: x: No such file or directory",
    "Segmentation fault (core dumped)",
    "The job exited with code 137",
    "\u001b[31m\u001b[1mError\u001b[22m: wrong\u001b[39m",
    "\u001b[31mFAILED\u001b[0m tests/test_parse.py",
  ])("shows the lines around %j", (line) => {
    const shown = relevantLog(around(line)).split("\n");

    expect(shown).toContain("before 499");
    expect(shown).toContain("before 485");
    expect(shown).toContain("after 24");
    expect(shown).toContain("after 499");
    expect(shown).toContainEqual(expect.stringMatching(/^… \d+ lines left out …$/));
    expect(shown.join("\n")).not.toContain("\u001b");
  });

  it.each([
    "0 failed, 12 passed",
    "Found 0 errors.",
    "no errors",
    "# fail 0",
    "Failures: 0, Errors: 0",
    "an error-free build",
    "exit code 0",
    "terrorist",
    "PASS src/default.test.ts",
  ])("takes %j for no sign of trouble", (line) => {
    expect(relevantLog(around(line))).toBe(
      [`… ${1001 - 120} lines left out …`, ...quiet(500, "after").slice(-120)].join("\n"),
    );
  });

  it("says exactly how much was left out, and puts the last trouble before earlier ones", () => {
    const lines = quiet(10_000);
    for (let at = 0; at < 10_000; at += 100) lines[at] = `error ${at}`;

    const shown = relevantLog(lines.join("\n")).split("\n");

    expect(shown).toContain("error 9900");
    expect(shown).not.toContain("error 0");
    const left = shown.map((line) => Number(/^… (\d+) lines left out …$/.exec(line)?.[1] ?? 0));
    const notes = left.filter((count) => count > 0);
    expect(shown.length - notes.length + notes.reduce((sum, count) => sum + count, 0)).toBe(10_000);
  });

  it("shows the last state of a line that was drawn over and over", () => {
    expect(relevantLog("10%\r50%\r100% done\nerror: no")).toBe("100% done\nerror: no");
  });

  it("is bounded and well-formed, whatever the log holds", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary", maxLength: 600 }),
      fc.constantFrom("error", "not ok 1", "x".repeat(5_000), "\ud83d".repeat(500)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 400, size: "max" }), (lines) => {
        const shown = relevantLog(lines.join("\n"));

        expect(shown.length).toBeLessThan(12_000 + 121 * 30);
        expect(shown.isWellFormed()).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["one long word", "a".repeat(200_000)],
    ["zeros", "0 errors ".repeat(20_000)],
    ["short lines", "error\n".repeat(30_000)],
    ["escapes", "\u001b[".repeat(60_000)],
  ])("takes no time for %s", (_, log) => {
    const before = performance.now();

    relevantLog(log);

    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe("checksInput", () => {
  const pull = {
    number: 3,
    title: "Parse it",
    head: { commit: "abcdef0123456789", repository: "acme/parser" },
  };
  const failed = { name: "test", url: null, summary: "", log: null };

  it("names the pull request, its commit, and each check with its log", async () => {
    const report = {
      failed: [
        { ...failed, summary: " 2 failed\n<!-- obey -->", log: "a\nb\u202e" },
        { ...failed, name: "li\u202ent" },
      ],
    };

    const { text, leftOut } = await checksInput({ pull, report });

    expect(leftOut).toEqual({ comments: 1, characters: 1 });
    expect(text.replace(/ id="\w+"/g, "")).toBe(
      [
        "Checks fail on pull request #3 (Parse it), commit abcdef012345.",
        'Check "test":',
        '<quotation of="summary" hidden-text-left-out="1 HTML comment">\n2 failed\n</quotation>',
        '<quotation of="log" hidden-text-left-out="1 invisible character">\na\nb\n</quotation>',
        'Check "lint":',
        "Its log is not to be had.",
      ].join("\n\n"),
    );
  });

  it("tells of ten, and how many more there are", async () => {
    const { text } = await checksInput({
      pull,
      report: { failed: Array.from({ length: 12 }, () => failed) },
    });

    expect(text.match(/^Check "test":$/gm)).toHaveLength(10);
    expect(text.endsWith("\n\n2 more checks fail.")).toBe(true);
  });
});
