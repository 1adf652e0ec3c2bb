import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../../src/base/errors.ts";
import { loadWorkflow } from "../../../../src/workflow/load.ts";
import { oneRole, problemsOf, textSchema, unmarked } from "../workflow-files.ts";

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

const aliasBomb = [
  "a0: &a0 [x, x, x, x, x, x, x, x, x]",
  ...Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}, *a${i}]`),
].join("\n");

const hostile: [what: string, text: string | Uint8Array, problem: RegExp][] = [
  ["a megabyte", "a".repeat(1024 * 1024), /^1:1: the file has 1048576 bytes; at most 262144 are read$/],
  ["ten thousand nested lists", "[".repeat(10_000), /^1:65: the file is nested deeper than 64 levels$/],
  ["ten thousand nested block lists", "- ".repeat(10_000), /nested deeper than 64 levels$/],
  ["ten thousand nested maps", "{a: ".repeat(10_000), /nested deeper than 64 levels$/],
  ["nested explicit keys", "? ".repeat(10_000), /nested deeper than 64 levels$/],
  [
    "nested block maps",
    lines(400, (i) => `${" ".repeat(i)}a:`),
    /^65:65: the file is nested deeper than 64 levels$/,
  ],
  ["an alias bomb", aliasBomb, /Excessive alias count|more than \d+ values/],
  ["many aliases", `a: &a x\nb: [${"*a, ".repeat(100)}]`, /^2:\d+: the file has more than 50 aliases$/],
  ["an alias of itself", "name: &a [*a]", /Unresolved alias|nested deeper|Excessive/],
  ["an alias of nothing", "name: *nowhere", /^1:7: no anchor &nowhere before this alias$/],
  ["a flood of keys", lines(25_000, (i) => `k${i}:`), /more than 40000 tokens$/],
  ["a flood of empty lines", "\n".repeat(200_000), /more than 40000 tokens$/],
  ["binary", Uint8Array.from({ length: 200 }, (_, i) => i), /^2:118: the file is not UTF-8 text$/],
  [
    "bytes that are not UTF-8",
    new Uint8Array([0x6e, 0x3a, 0x20, 0xff, 0xfe]),
    /^1:4: the file is not UTF-8 text$/,
  ],
  ["UTF-16", new Uint8Array([0xff, 0xfe, 0x6e, 0x00, 0x3a, 0x00]), /^1:1: the file is not UTF-8 text$/],
  ["a NUL", "name: a\0b", /^1:8: the character U\+0000 may not stand in the file$/],
  ["an escape sequence", "name: \u001b[31mred", /^1:7: the character U\+001B/],
  ["half a surrogate pair", "name: \ud83d", /^1:7: the character U\+D83D/],
  ["tabs for indentation", "roles:\n\ta: 1\n", /^2:1: /],
  [
    "a key that is a prototype",
    "name: w\nroles: { __proto__: { systemPrompt: x } }",
    /^2:10: "__proto__" may not be a key$/,
  ],
  [
    "a prototype in a schema",
    oneRole("a: { systemPrompt: A, schema: { type: object, properties: { __proto__: { type: string } } } }"),
    /^3:63: "__proto__" may not be a key$/,
  ],
  [
    "merge keys",
    "base: &b { a: 1 }\nname: { <<: *b }",
    /^2:9: merge keys are not supported; write the fields out$/,
  ],
  ["a YAML 1.1 directive", "%YAML 1.1\n---\nname: w", /^1:1: only YAML 1.2 is read/],
  ["two documents", "name: w\n---\nname: x", /the file holds more than one YAML document$/],
  ["a tag that makes objects", "name: !!js/function 'function () {}'", /^1:7: Unresolved tag/],
  ["a binary tag", "name: !!binary aGVsbG8=", /^1:7: Unresolved tag/],
  ["an infinite number", "version: .inf", /^1:10: a number must be finite$/],
  ["a number beyond all numbers", "version: 1e999", /^1:10: a number must be finite$/],
  ["a number that is none", "version: .nan", /^1:10: a number must be finite$/],
  ["a map as a key", "{ a: 1 }: 2", /^1:1: /],
  [
    "the same key twice, deep down",
    "name: w\nroles:\n  a: { x: 1, x: 2 }",
    /^3:14: the key "x" is there twice$/,
  ],
];

describe("a hostile workflow file", () => {
  it.each(hostile)("is refused: %s", async (_, text, problem) => {
    const [first] = await problemsOf(text);

    expect(first).toMatch(problem);
  });

  it("may not make a pattern run for ever", async () => {
    const pattern = "{ type: object, properties: { x: { type: string, pattern: '^(a+)+$' } } }";
    const workflow = await loadWorkflow(oneRole(`a: { systemPrompt: A, schema: ${pattern} }`), {
      file: "w.yaml",
    });

    expect(workflow.name).toBe("w");
  });

  it("may use anchors to share what is the same", async () => {
    const text = oneRole(
      `a: { systemPrompt: A, schema: &s ${textSchema} }\n  b: { systemPrompt: B, schema: *s }`,
      "moderator: [{ from: $START, to: a }, { from: a, to: b }, { from: b, to: $END }]",
    );

    const { roles } = await loadWorkflow(text, { file: "w.yaml" });

    expect(roles.b?.schema).toEqual(roles.a?.schema);
  });

  it("has its problems where an anchor's value stands", async () => {
    const { text, places } = unmarked(
      oneRole(
        "a: { systemPrompt: A, schema: &s { type: §text } }\n  b: { systemPrompt: B, schema: *s }",
        "moderator: [{ from: $START, to: a }, { from: a, to: b }, { from: b, to: $END }]",
      ),
    );

    const found = await problemsOf(text);

    expect(found).toEqual([expect.stringMatching(new RegExp(`^${places[0]}: not a JSON Schema`))]);
  });

  it("may begin with a byte order mark and have Windows line ends", async () => {
    const text = `\ufeff${oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`).replaceAll("\n", "\r\n")}`;

    expect(await problemsOf(text)).toEqual([]);
    expect(await problemsOf(new TextEncoder().encode(text))).toEqual([]);
  });
});

/** Loads, or fails with the one error that says so. */
const survives = async (source: string | Uint8Array): Promise<void> => {
  try {
    await loadWorkflow(source, { file: "w.yaml" });
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "workflow-invalid" });
  }
};

const words = fc.constantFrom(
  ..."name roles moderator graph from to when prompt schema type object properties $ref oneOf const $status $START $END a b 1 null true".split(
    " ",
  ),
  "output.a == 1",
  "{{ a }}",
  "{% if a %}",
  "visits.a < 3",
  "[",
  "]",
  "{",
  "}",
  ":",
  ",",
  "-",
  "?",
  "|",
  ">",
  "&a",
  "*a",
  "#",
  "'",
  '"',
  "!!str",
  "\n",
  "\n  ",
  "\t",
  "\\",
  "%",
  "constructor",
  "<<",
  "{{ a | x }}",
  "🙂",
);

describe("random workflow files", () => {
  it("load or are refused: bytes", async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), survives), { numRuns: 60 });
  });

  it("load or are refused: YAML-like text", async () => {
    const text = fc.array(words, { maxLength: 60 }).map((parts) => parts.join(" "));

    await fc.assert(fc.asyncProperty(text, survives), { numRuns: 100 });
  });

  it("load or are refused: files of the right form with anything in them", async () => {
    const part = fc.oneof(words, fc.string(), fc.json({ maxDepth: 3 }));
    const file = fc
      .tuple(part, part, part, fc.jsonValue({ maxDepth: 4 }), part)
      .map(([prompt, when, to, schema, key]) =>
        JSON.stringify({
          name: "w",
          roles: {
            a: {
              systemPrompt: "A",
              schema: { type: "object", [key]: schema, properties: { [key]: schema } },
            },
            b: { systemPrompt: "B", schema },
          },
          moderator: [
            { from: "$START", to: "a", prompt },
            { from: "a", to: "b", when, prompt },
            { from: "a", to },
            { from: "b", to: "$END" },
          ],
        }),
      );

    await fc.assert(fc.asyncProperty(file, survives), { numRuns: 50 });
  });
});
