import { describe, expect, it } from "vitest";
import { ungrounded } from "../../../../src/agents/text/ungrounded.ts";
import type { Json, JsonSchema } from "../../../../src/base/json.ts";

const of = (type: string | JsonSchema): JsonSchema => ({
  type: "object",
  properties: { field: typeof type === "string" ? { type } : type, testsPassed: { type: "boolean" } },
});
const list: JsonSchema = { type: "array", items: { type: "string" } };
const verdicts: JsonSchema = { enum: ["approve", "needs_changes"] };

const said: [name: string, text: string, value: Json, schema: JsonSchema][] = [
  ["a string, word for word", "I fixed the bug.", { field: "fixed the bug" }, of("string")],
  ["a string over two lines", "It was\n   broken there.", { field: "It was broken there." }, of("string")],
  ["a string with another form of a character", "ﬁxed", { field: "fixed" }, of("string")],
  ["a string between quotes", 'title: "Fix it"', { field: "Fix it" }, of("string")],
  ["a word in Chinese, which has no spaces", "已经修复了错误。", { field: "修复了错误" }, of("string")],
  ["a number", "There are 12 files.", { field: 12 }, of("number")],
  ["a number with separators", "1,234 lines", { field: 1234 }, of("integer")],
  ["a decimal with an exponent", "took 1.5e3 ms", { field: 1500 }, of("number")],
  ["a negative number", "offset: -3", { field: -3 }, of("number")],
  ["a number at a sentence's end", "It is 7.", { field: 7 }, of("number")],
  ["each item of a list", "a.ts and b.ts", { field: ["a.ts", "b.ts"] }, of(list)],
  [
    "a constant of many, written in another way",
    "Verdict: Needs changes.",
    { field: "needs_changes" },
    of(verdicts),
  ],
  ["the only value that there may be", "All is well.", { field: "done" }, of({ const: "done" })],
  ["true beside its field's name", "Tests passed: yes", { testsPassed: true }, of("string")],
  ["false beside its field's name", "tests_passed = false", { testsPassed: false }, of("string")],
  ["true where more is said after it", "Tests passed: yes, no failures", { testsPassed: true }, of("string")],
  ["an empty list that is said", "There are no field entries.", { field: [] }, of(list)],
  ["null that is said", "field: null", { field: null }, of({ type: ["string", "null"] })],
  ["a field that the schema does not have", "colour: red", { colour: "red" }, { type: "object" }],
  [
    "a nested value",
    "At src/a.ts line 3",
    { field: { path: "src/a.ts", line: 3 } },
    of({ type: "object", properties: { path: { type: "string" }, line: { type: "integer" } } }),
  ],
  [
    "a suspension's reason",
    "I need the key.",
    { $status: "$SUSPEND", reason: "I need the key." },
    of("string"),
  ],
];

const invented: [name: string, text: string, value: Json, schema: JsonSchema, where: string][] = [
  ["a string that is not there", "I fixed the bug.", { field: "I broke it." }, of("string"), "field"],
  ["a string in other words", "I fixed the bug.", { field: "The bug was fixed" }, of("string"), "field"],
  ["a string in another case", "Fix the bug", { field: "fix the bug" }, of("string"), "field"],
  ["a part of a longer word", "undone", { field: "done" }, of("string"), "field"],
  ["a part of a longer name", "see done_list", { field: "done" }, of("string"), "field"],
  ["a number that is not there", "There are 12 files.", { field: 13 }, of("number"), "field"],
  ["a count", "a.ts, b.ts and c.ts", { field: 3 }, of("number"), "field"],
  ["a number in words", "three files", { field: 3 }, of("number"), "field"],
  ["a part of a number", "123", { field: 12 }, of("number"), "field"],
  ["a part of a version", "version 1.2.3", { field: 1.2 }, of("number"), "field"],
  ["numbers of a list as one", "1,2,3", { field: 123 }, of("number"), "field"],
  ["one item of many", "a.ts", { field: ["a.ts", "b.ts"] }, of(list), "field[1]"],
  ["a constant of many that is not said", "It looks fine.", { field: "approve" }, of(verdicts), "field"],
  ["true without its field's name", "yes, true, done", { testsPassed: true }, of("string"), "testsPassed"],
  [
    "true on another line than its field's name",
    "Tests passed\nyes",
    { testsPassed: true },
    of("string"),
    "testsPassed",
  ],
  ["false where true is said", "tests passed: true", { testsPassed: false }, of("string"), "testsPassed"],
  ["an empty list that nobody speaks of", "All done.", { field: [] }, of(list), "field"],
  ["an empty text", "All done.", { field: "" }, of("string"), "field"],
  ["white space", "All  done.", { field: " " }, of("string"), "field"],
  ["null", "All done.", { field: null }, of("string"), "field"],
  ["an empty object", "All done.", { field: {} }, of("object"), "field"],
  ["the name of a field", "red", { colour: "red" }, { type: "object" }, "colour"],
  ["a suspension's reason", "All done.", { $status: "$SUSPEND", reason: "No key." }, of("string"), "reason"],
];

describe("ungrounded", () => {
  it.each(said)("finds %s", (_, text, value, schema) => {
    expect(ungrounded(value, { schema, texts: [text] })).toEqual([]);
  });

  it.each(invented)("does not find %s", (_, text, value, schema, where) => {
    expect(ungrounded(value, { schema, texts: [text] })).toEqual([
      expect.stringMatching(new RegExp(`^${where.replace(/[[\]]/g, "\\$&")}: .*not in the text`)),
    ]);
  });

  it("looks in every text, but for a value in one at a time", () => {
    const schema = of("string");

    expect(ungrounded({ field: "one two" }, { schema, texts: ["zero one two", "three"] })).toEqual([]);
    expect(ungrounded({ field: "two three" }, { schema, texts: ["one two", "three four"] })).toHaveLength(1);
  });

  it("reads choices and references of the schema", () => {
    const schema: JsonSchema = {
      $defs: { verdict: { enum: ["yes_please", "no_thanks"] } },
      anyOf: [
        { type: "object", properties: { kind: { const: "a" }, field: { $ref: "#/$defs/verdict" } } },
        { type: "object", properties: { kind: { const: "b" } } },
      ],
    };

    expect(
      ungrounded({ kind: "a", field: "yes_please" }, { schema, texts: ["kind a: yes, please"] }),
    ).toEqual([]);
    expect(ungrounded({ kind: "a", field: "yes_please" }, { schema, texts: ["yes please"] })).toEqual([
      'kind: "a" is not in the text',
    ]);
  });

  it("opens choices that lead to one another once each", () => {
    const to = (name: string) => Array.from({ length: 5 }, (): JsonSchema => ({ $ref: `#/$defs/${name}` }));
    const named = Array.from({ length: 18 }, (_, at) => [`a${at}`, { anyOf: to(`a${at + 1}`) }] as const);
    const schema: JsonSchema = {
      $defs: { ...Object.fromEntries(named), a18: { anyOf: [{ enum: ["yes_please"] }, ...to("a0")] } },
      type: "object",
      properties: { field: { $ref: "#/$defs/a0" } },
    };

    expect(ungrounded({ field: "yes_please" }, { schema, texts: ["yes, please"] })).toEqual([]);
  });
});
