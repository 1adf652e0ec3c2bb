import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import { commands } from "../../../src/cli/commands.ts";
import { parseArguments } from "../../../src/cli/parse-arguments.ts";
import { fakeContext } from "../../fixtures/fake-context.ts";

const run = async (...args: string[]) => {
  const context = fakeContext();
  const exitCode = await runCommandLine(args, context);
  return { exitCode, stdout: context.stdout.text(), stderr: context.stderr.text() };
};

describe("runCommandLine", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("lists every command for %j", async (args) => {
    const { exitCode, stdout, stderr } = await run(...args);

    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    for (const { name } of commands) expect(stdout).toContain(`  ${name} `);
  });

  it.each([[["thread", "--help"]], [["help", "thread"]]])("lists a group's commands for %j", async (args) => {
    const { exitCode, stdout } = await run(...args);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("thread step-details");
    expect(stdout).not.toContain("cas get");
  });

  it.each(commands)("has help with an example that parses for $name", async ({ name, load }) => {
    const { exitCode, stdout } = await run(...name.split(" "), "--help");
    const { command } = await load();

    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: uwf ${name}`);
    for (const example of command.examples) {
      const words = [...example.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        ([, a, b, c]) => a ?? b ?? c ?? "",
      );
      const from = words.indexOf("uwf") + 1 + name.split(" ").length;
      const to = words.findIndex((word, index) => index >= from && /^\d?(\||>+)$/.test(word));
      expect(parseArguments(name, command, words.slice(from, to < 0 ? undefined : to))).not.toBe("help");
    }
  });

  it.each([
    [["thraed"], 'unknown command "thraed"; did you mean "thread"?'],
    [["thread", "lst"], 'unknown command "thread lst"; did you mean "thread list"?'],
    [["--verbose"], 'unknown option "--verbose"'],
    [["help", "nothing"], 'unknown command "nothing"'],
    [["cas"], '"uwf cas" needs a command: get, put, refs, walk, verify'],
    [["constructor"], 'unknown command "constructor"'],
    [["thread", "list", "--limit", "x"], 'option --limit must be a whole number of 1 or more, not "x"'],
  ])("refuses %j with one line and a hint", async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);

    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.split("\n")).toEqual([`error: ${message}`, expect.stringMatching(/^hint: /), ""]);
  });

  it("says its version", async () => {
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
