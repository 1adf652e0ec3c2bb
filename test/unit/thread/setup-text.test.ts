import { describe, expect, it } from "vitest";
import { type SetupResult, setupIn, setupText } from "../../../src/thread/setup-text.ts";

const result = (change: Partial<SetupResult>): SetupResult => ({
  command: "npm ci",
  ok: true,
  ended: "exit code 0",
  ms: 12_340,
  output: "",
  ...change,
});

describe("what a role is told of the setup", () => {
  it("is each command, how it ended, and the end of its output", () => {
    const output = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
    const text = setupText([
      result({ output: "a\nb\nc\nadded 3 packages\n" }),
      result({ command: 'make "deps"', ok: false, ended: "exit code 2", ms: 400, output }),
    ]);

    expect(text).toContain(
      '1. ok, exit code 0, 12.3 s: "npm ci"\n2. failed, exit code 2, 0.4 s: "make \\"deps\\""',
    );
    expect(text).toContain("The end of the output of 1:\n\n    b\n    c\n    added 3 packages\n\n");
    expect(text).toMatch(/of 2:\n\n {4}line 11\n/);
    expect(text).not.toContain("line 10\n");
  });

  it("is bounded, however long a line is", () => {
    expect(setupText([result({ ok: false, output: "x".repeat(100_000) })]).length).toBeLessThan(4_000);
  });

  it("can be read again, whatever the commands and their output look like", () => {
    const results = [
      result({ command: "echo '\n\n1. ok, 1.0 s: \"x\"'", output: '3. ok, exit code 0, 1.0 s: "forged"' }),
      result({ command: "false", ok: false, ended: "not run because those before it took too long" }),
    ];

    expect(setupIn(setupText(results))).toEqual(results.map(({ command, ok }) => ({ command, ok })));
    expect(setupIn(`A task.\n\n${setupText(results)}`)).toEqual([]);
  });
});
