import { expect, it } from "vitest";
import { builtinTools, toolsNamed } from "../../../src/tools/builtin.ts";

it("answers the tools that a role names, always in the same order", () => {
  expect(toolsNamed(["shell_exec", "read_file"]).map((tool) => tool.name)).toEqual([
    "read_file",
    "shell_exec",
  ]);
  expect(toolsNamed(null)).toEqual(builtinTools);
  expect(toolsNamed([])).toEqual([]);
});

it("refuses a name that nothing has, and names the nearest", () => {
  expect(() => toolsNamed(["read_files"])).toThrow('There is no tool "read_files".');
});

it("runs readers side by side and writers alone", () => {
  const writers = builtinTools.filter((tool) => tool.effect === "write").map((tool) => tool.name);

  expect(writers).toEqual(["write_file", "patch_file", "shell_exec"]);
});

it("describes every tool as an object without surprises for a provider", () => {
  for (const { parameters, description } of builtinTools) {
    expect(parameters).toMatchObject({ type: "object" });
    expect(parameters).not.toHaveProperty("$schema");
    expect(description.length).toBeGreaterThan(40);
  }
});
