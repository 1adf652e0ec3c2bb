import { describe, expect, it } from "vitest";
import { readRepositoryFile } from "../../../src/config/read-repository-config.ts";

const read = (text: string) => readRepositoryFile(text, { name: "uwf.yml", owner: "Acme" });
const problems = async (text: string): Promise<string[]> => (await read(text)).problems;

describe("a repository's file", () => {
  it("says only what stands in it", async () => {
    const { file } = await read("draft: never\nlabels: { bug: fix-bug, uwf: null }\nsetup: [npm ci]\n");

    expect(file?.layer).toEqual({
      draft: "never",
      labels: { bug: "fix-bug", uwf: null },
      setup: ["npm ci"],
    });
    expect(file?.extends).toBeUndefined();
  });

  it.each(["", "# nothing yet\n", "labels:\n#  bug: fix\nsetup:\n"])("may say nothing: %j", async (text) => {
    expect(await read(text)).toMatchObject({ file: { layer: {} }, problems: [] });
  });

  it("may take back what it inherits", async () => {
    const { file } = await read("instructions: null\nbudgetUsd:\n");

    expect(file?.layer).toEqual({ instructions: null, budgetUsd: null });
  });

  it.each([
    ["_extends: null", null],
    ["_extends: base", "Acme/base"],
    ["_extends: acme/.github", "acme/.github"],
    ["draft: never", undefined],
  ])("names what it inherits: %s", async (text, expected) => {
    expect((await read(text)).file?.extends).toBe(expected);
  });
});

describe("what is wrong with a repository's file", () => {
  it.each([
    ["lables: {}", 'uwf.yml:1:1: lables: unknown field; did you mean "labels"?'],
    ["draft: never\nbranchPrefix: uwf\n", "uwf.yml:2:15: branchPrefix: must be like uwf/ or bot/uwf-"],
    ["labels:\n  bug: ../x\n", "uwf.yml:2:8: labels.bug: must be the name of a workflow"],
    ["commands: { Deploy: x }", "uwf.yml:1:13: commands.Deploy: must be a word of a-z, digits and dashes"],
    ["draft: maybe", 'uwf.yml:1:8: draft: must be one of "until-tests-pass", "always", "never"'],
    ["budgetUsd: 0", "uwf.yml:1:12: budgetUsd: must be more than 0"],
    ["setup: npm ci", "uwf.yml:1:8: setup: must be a list"],
    ["- a list", "uwf.yml:1:1: (the whole): must be an object"],
    ["_extends: ..", "uwf.yml:1:11: _extends: must be the name of a repository, or owner/name"],
    ["_extends: acme/..", "uwf.yml:1:11: _extends: must be the name of a repository, or owner/name"],
    ["_extends: ../other", "uwf.yml:1:11: _extends: must be the name of a repository, or owner/name"],
    [
      "draft: never\n_extends: other/base",
      "uwf.yml:2:11: _extends: must be a repository of the same owner, Acme, not of other",
    ],
  ])("names its line: %j", async (text, problem) => {
    expect(await problems(text)).toEqual([problem]);
  });

  it("is said all at once, in the file's order", async () => {
    const lines = await problems("draft: maybe\nlables: {}\nbudgetUsd: -1\n");

    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      "uwf.yml:1:8:",
      "uwf.yml:2:1:",
      "uwf.yml:3:12:",
    ]);
  });

  it.each([
    ["a file that is no YAML", "draft: [never"],
    ["more nesting than anybody writes", `labels: ${"[".repeat(100)}${"]".repeat(100)}`],
    ["aliases that multiply", "a: &a [1, 1]\nb: &b [*a, *a]\nsetup: [*b, *b, *nothing]"],
    ["more text than a configuration has", `instructions: ${"x".repeat(70_000)}`],
    ["a key that is there twice", "draft: never\ndraft: always"],
  ])("is also %s", async (_, text) => {
    const [first] = await problems(text);

    expect(first).toMatch(/^uwf\.yml:\d+:\d+: ./);
  });
});
