import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../src/agents/parse-arguments.ts";

describe("parseArguments", () => {
  it.each<[string, string, unknown]>([
    ["plain JSON", '{"path":"a.ts","limit":3}', { path: "a.ts", limit: 3 }],
    ["no text", "", {}],
    ["blank text", " \n", {}],
    ["a fence", '```json\n{"a":1}\n```', { a: 1 }],
    ["a fence without a language", '```\n{"a":1}```', { a: 1 }],
    ["raw newlines and tabs in strings", '{"content":"a\n\tb\r\n"}', { content: "a\n\tb\r\n" }],
    ["another control character", '{"a":"\u0001"}', { a: "\u0001" }],
    ["newlines between fields", '{\n"a": "x",\n"b": "y\nz"\n}', { a: "x", b: "y\nz" }],
    ["a regular expression's escapes", '{"pattern":"\\d+\\s\\."}', { pattern: "\\d+\\s\\." }],
    ["an escaped apostrophe", '{"a":"don\\\'t"}', { a: "don't" }],
    ["a bad unicode escape", '{"a":"\\u12 x"}', { a: "\\u12 x" }],
    ["good escapes beside bad ones", '{"a":"\\"\\n\\q\\u0041\\\\"}', { a: '"\n\\qA\\' }],
    ["JSON in a JSON string", JSON.stringify('{"a":1}'), { a: 1 }],
    ["fenced JSON in a JSON string", JSON.stringify('```json\n{"a":1}\n```'), { a: 1 }],
    ["a quote escaped in the text", '{"a":"say \\"hi\\""}', { a: 'say "hi"' }],
  ])("understands %s", (_, text, value) => {
    expect(parseArguments(text)).toEqual({ ok: true, value });
  });

  it.each<[string, string, RegExp]>([
    ["a cut string", '{"path":"a.ts","content":"abc', /not valid JSON.*cut off/],
    ["a cut object", '{"path":"a.ts"', /cut off/],
    ["a cut list", '{"items":[1,2', /cut off/],
    ["a trailing comma", '{"a":1,}', /not valid JSON/],
    ["single quotes", "{'a':1}", /not valid JSON/],
    ["bare words", "path=a.ts", /not valid JSON/],
    ["two objects", '{"a":1}{"b":2}', /not valid JSON/],
    ["a comment", '{"a":1 // why\n}', /not valid JSON/],
    ["a list", "[1]", /one JSON object, not a list/],
    ["null", "null", /one JSON object, not null/],
    ["a number", "5", /one JSON object, not a number/],
    ["text in a string", '"read it"', /one JSON object, not a string/],
  ])("leaves %s an error", (_, text, problem) => {
    expect(parseArguments(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it("says that a text is cut only when it is", () => {
    expect(parseArguments('{"a":1,}')).toEqual({
      ok: false,
      problem: expect.not.stringContaining("cut off"),
    });
  });
});
