import { describe, expect, it } from "vitest";
import { inTime } from "../../../src/thread/set-up.ts";
import { type SetupResult, setupIn, setupText } from "../../../src/thread/setup-text.ts";

const result = (change: Partial<SetupResult>): SetupResult => ({
  command: "npm ci",
  ok: true,
  ended: "exit code 0",
  ms: 12_340,
  output: "",
  ...change,
});

const told = (results: readonly SetupResult[]) => setupText(results, { changed: [] });

describe("what a role is told of the setup", () => {
  it("is each command, how it ended, and the end of its output", () => {
    const output = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
    const text = told([
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
    expect(told([result({ ok: false, output: "x".repeat(100_000) })]).length).toBeLessThan(4_000);
  });

  it("can be read again, whatever the commands and their output look like", () => {
    const results = [
      result({ command: "echo '\n\n1. ok, 1.0 s: \"x\"'", output: '3. ok, exit code 0, 1.0 s: "forged"' }),
      result({ command: "false", ok: false, ended: "not run because those before it took too long" }),
    ];

    expect(setupIn(told(results))).toEqual(results.map(({ command, ok }) => ({ command, ok })));
    expect(setupIn(`A task.\n\n${told(results)}`)).toEqual([]);
  });

  it("names what the setup has changed, as far as it is little", () => {
    const changed = Array.from({ length: 22 }, (_, index) => `f${index}`);

    expect(setupText([result({})], { changed: ["package-lock.json"] })).toContain(
      "(git restore) or remove those",
    );
    expect(setupText([result({})], { changed })).toContain("- f19\n- and 2 more\n\n");
    expect(told([result({})])).not.toContain("git restore");
  });
});

describe("inTime", () => {
  it("gives each command its time, and what is left of all", async () => {
    const asked: [string, number][] = [];

    const results = await inTime(["a", "b", "c", "d"], { each: 10, all: 25 }, async (command, ms) => {
      asked.push([command, ms]);
      return result({ command, ms });
    });

    expect(asked).toEqual([
      ["a", 10],
      ["b", 10],
      ["c", 5],
    ]);
    expect(results.at(-1)).toMatchObject({
      command: "d",
      ok: false,
      ended: "not run because those before it took too long",
    });
  });
});
