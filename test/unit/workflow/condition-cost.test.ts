import { Environment } from "@marcbachmann/cel-js";
import { describe, expect, it } from "vitest";
import { isQuick } from "../../../src/workflow/condition-cost.ts";

const environment = new Environment({ unlistedVariablesAreDyn: true });

describe("isQuick", () => {
  it.each([
    ['output.status == "done"', true],
    ["visits.developer < 3 && !has(output.note)", true],
    ['size(output.files) > 0 ? output.path.endsWith(".ts") : output.kind in ["a", "b"]', true],
    ['{"a": [1, 2]}[output.key][0] == 1', true],
    ['output.text == "x.matches(y)"', true],
    ['output.text.matches("a+")', false],
    ['[[output.text.matches("a+")]] == [[true]]', false],
    ['{"a": output.text.matches("a+")}.a', false],
    ["output.files.all(f, size(f) > 0)", false],
    ["size(output.files.map(f, f)) == 2", false],
  ])("%s: %s", (when, expected) => {
    expect(isQuick(environment.parse(when).ast)).toBe(expected);
  });
});
