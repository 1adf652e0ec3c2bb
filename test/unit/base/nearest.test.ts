import { expect, it } from "vitest";
import { didYouMean, nearest } from "../../../src/base/nearest.ts";

it.each([
  ["develper", ["developer", "preparer"], "developer"],
  ["READ_FILE", ["read_file"], "read_file"],
  ["bb", ["b", "a"], "b"],
  ["summry", ["summary", "summaries"], "summary"],
  ["zzzzzz", ["developer"], undefined],
  ["x", [], undefined],
])("takes %s among %j for %s", (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected);
});

it("asks, or says nothing", () => {
  expect(didYouMean("develper", ["developer"])).toBe('; did you mean "developer"?');
  expect(didYouMean("zzzzzz", ["developer"])).toBe("");
});
