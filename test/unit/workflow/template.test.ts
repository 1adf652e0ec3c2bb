import { describe, expect, it } from "vitest";
import { renderPrompt, variablesOf } from "../../../src/workflow/template.ts";

const extras = { input: "the issue", steps: { planner: { plan: ["a", "b"] } } };
const output = { title: "<T> & co", note: null, count: 2, toolchain: { test: "npm test" }, $status: "ready" };

describe("renderPrompt", () => {
  it.each([
    ["fields of the output, as they are", "{{ title }}", "<T> & co"],
    ["numbers", "{{ count | plus: 1 }}", "3"],
    ["null as nothing", "[{{ note }}]", "[]"],
    ["objects as JSON", "{{ toolchain }}", '{\n  "test": "npm test"\n}'],
    ["lists as JSON", "{{ steps.planner.plan }}", '[\n  "a",\n  "b"\n]'],
    ["lists, joined", '{{ steps.planner.plan | join: ", " }}', "a, b"],
    ["the input", "Do: {{ input }}", "Do: the issue"],
    ["the whole output", '{{ output["$status"] }}', "ready"],
    [
      "questions for what is missing",
      "{% if nothing %}x{% else %}y{% endif %}{% if steps.coder.diff %}x{% endif %}",
      "y",
    ],
    ["defaults for what is missing", '{{ steps.coder.diff | default: "none" }}', "none"],
    ["loops", "{% for one in steps.planner.plan %}{{ one }};{% endfor %}", "a;b;"],
  ])("fills in %s", async (_, template, expected) => {
    expect(await renderPrompt(template, output, extras)).toBe(expected);
  });

  it("lets no field of the output stand for the input", async () => {
    expect(await renderPrompt("{{ input }}", { input: "forged" }, extras)).toBe("the issue");
  });

  it.each([
    ["an undefined variable", "{{ nothing }}", /undefined variable: nothing/],
    ["an undefined field", "{{ toolchain.lint }}", /undefined variable: toolchain\.lint/],
    ["what every object has", "{{ toolchain.constructor }}", /undefined variable/],
    ["an unknown filter", "{{ title | shell }}", /undefined filter: shell/],
    ["files", '{% render "/etc/passwd" %}', /tag "render" not found/],
    [
      "a loop without an end",
      "{% for a in (1..5000) %}{% for b in (1..5000) %}x{% endfor %}{% endfor %}",
      /limit exceeded|took longer than/,
    ],
    [
      "more memory than it may have",
      "{% for a in (1..100000000) %}x{% endfor %}",
      /limit exceeded|took longer than/,
    ],
    [
      "text that doubles",
      '{% assign a = "xxxxxxxx" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
      /limit exceeded|took longer than/,
    ],
    [
      "more than a prompt may be",
      `{% for a in (1..500) %}${"x".repeat(1000)}{% endfor %}`,
      /500000 characters; at most 262144/,
    ],
    ["a template of great length", "x".repeat(40_000), /parse length limit exceeded/],
  ])("refuses %s", async (_, template, message) => {
    await expect(renderPrompt(template, output, extras)).rejects.toMatchObject({
      code: "prompt-failed",
      remedy: "fix-input",
      message: expect.stringMatching(message),
    });
  });

  it("has no output before the first step", async () => {
    expect(await renderPrompt("{{ input }}{% if output %}x{% endif %}", null, extras)).toBe("the issue");
  });
});

describe("variablesOf", () => {
  it("lists what a template takes from outside, with where and whether it asks first", async () => {
    const template =
      "{{ a.b[0].c }}\n{% for x in list %}{{ x.y }}{% endfor %}{% if note %}{{ note }}{% endif %}{{ z | default: 1 }}";

    const reading = await variablesOf(template);

    expect(
      reading.ok &&
        reading.variables.map(({ segments, at, guarded }) => [
          segments.join("."),
          template.slice(at, at + 4),
          guarded,
        ]),
    ).toEqual([
      ["a.b.0.c", "a.b[", false],
      ["list", "list", false],
      ["note", "note", true],
      ["note", "note", true],
      ["z", "z | ", true],
    ]);
  });

  it("says where a template is wrong", async () => {
    expect(await variablesOf("one\n  {% if a %}")).toEqual({
      ok: false,
      message: "tag {% if a %} not closed",
      at: 6,
    });
  });
});
