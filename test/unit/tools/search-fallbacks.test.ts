import { describe, expect, it } from "vitest";
import { searchFiles } from "../../../src/tools/search-files.ts";
import type { CommandResult } from "../../../src/workspace/sandbox/sandbox.ts";
import type { Command } from "../../../src/workspace/workspace.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

/** Answers commands by the first rule whose words all occur in them; no rule: nothing found. */
const searchWith = async (rules: readonly [words: readonly string[], result: Partial<CommandResult>][]) => {
  const bench = await toolBench({ "a.txt": "one\ntwo\n" });
  const asked: string[] = [];
  const exec = async ({ command }: Command): Promise<CommandResult> => {
    const line = typeof command === "string" ? command : command.join(" ");
    asked.push(line);
    const rule = rules.find(([words]) => words.every((word) => line.includes(word)));
    return { exitCode: 1, timedOut: false, output: "", omittedBytes: 0, ms: 1, ...rule?.[1] };
  };
  const context = { ...bench.context, workspace: { ...bench.workspace, exec } };
  return { answer: await searchFiles.run({ pattern: "tw[o]" }, context), asked };
};

const count = { exitCode: 0, output: "./a.txt\u00001\n" };
const hit = { exitCode: 0, output: "./a.txt\u00002:1:two\n" };

describe("search_files", () => {
  it("says when the search took too long", async () => {
    const { answer } = await searchWith([[["grep"], { timedOut: true, exitCode: null }]]);

    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("longer than 30 s") });
  });

  it("does without Perl's syntax where git has none", async () => {
    const fatal = "fatal: cannot use Perl-compatible regexes when not compiled with USE_LIBPCRE\n";
    const { answer } = await searchWith([
      [["--perl-regexp"], { exitCode: 128, output: fatal }],
      [["--extended-regexp", "--count"], count],
      [["--extended-regexp", "--line-number"], hit],
    ]);

    expect(answer.text).toBe("1 hit in 1 file:\n\na.txt (hit at 2)\n1\tone\n2\ttwo");
  });

  it("passes on a failure that is not the pattern's", async () => {
    const { answer } = await searchWith([[["grep"], { exitCode: 128, output: "fatal: out of memory\n" }]]);

    expect(answer).toEqual({
      ok: false,
      text: "The search failed: out of memory\nshell_exec with grep may do.",
    });
  });

  it("says that a total is a least one when the list of files was cut", async () => {
    const { answer } = await searchWith([
      [["command -v rg"], { exitCode: 0 }],
      [["rg ", "--count"], { exitCode: 0, output: "./a.txt\u0000500\n", omittedBytes: 10 }],
      [["rg ", "--line-number"], hit],
    ]);

    expect(answer.text).toContain("The first 1 of at least 500.");
  });
});
