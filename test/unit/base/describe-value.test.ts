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
  [{ what: "Add a test.", where: "test/sum.test.mjs" }, "Add a test. Where: test/sum.test.mjs"],
  [{ path: "sum.mjs", what: "It adds." }, "sum.mjs: It adds."],
  [{ path: "sum.mjs", reason: "It is so." }, "sum.mjs. Reason: It is so."],
  [
    { conversation: "7", text: "It is in notes now.", verdict: "done" },
    "conversation 7, done: It is in notes now.",
  ],
  [
    {
      ...{ evidence: "There is none.", line: 1, path: "sum.mjs", problem: "No test." },
      ...{ scenario: "It breaks unseen.", severity: "major" },
    },
    "sum.mjs, line 1, major: No test. Scenario: It breaks unseen. Evidence: There is none.",
  ],
])("%j → %s", (value, text) => {
  expect(describeValue(value)).toBe(text);
});

it("marks paths and command lines, but no text that is marked already or is a sentence", () => {
  const code = (text: string): string => `\`${text}\``;

  expect(describeValue({ test: "node --test", path: "a.ts" }, { code })).toBe("`a.ts`, test `node --test`");
  expect(describeValue({ test: "`node --test`" }, { code })).toBe("test `node --test`");
  expect(describeValue({ test: "There is none." }, { code })).toBe("Test: There is none.");
});
