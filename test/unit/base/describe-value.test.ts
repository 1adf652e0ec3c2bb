import { expect, it } from "vitest";
import { describeValue } from "../../../src/base/describe-value.ts";

it.each([
  ["two\n  lines", "two lines"],
  [3, "3"],
  [null, ""],
  [["a", null, "b"], "a; b"],
  [{ what: "adds", path: "sum.js" }, "sum.js, adds"],
  [{ install: null, test: "npm test" }, "test npm test"],
  [[{ command: "npm test", result: "passed", note: "" }], "npm test, passed"],
])("%j → %s", (value, text) => {
  expect(describeValue(value)).toBe(text);
});
