import { describe, expect, it } from "vitest";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { problemsOf, unmarked } from "./workflow-files.ts";

const ended = "$START: { new: { role: a } }";

/** Schemas: `done` with a text and perhaps more, or `stuck`. */
const ways =
  "{ oneOf: [{ properties: { $status: { const: done }, text: { type: string }, more: { type: string } }, " +
  "required: [text] }, { properties: { $status: { const: stuck } } }] }";

const file = (graph: readonly string[], a = "goal: A"): string =>
  [
    "name: w",
    "roles:",
    `  a: { ${a}, frontmatter: ${ways} }`,
    `  b: { goal: B, frontmatter: ${ways} }`,
    "graph:",
    ...graph.map((line) => `  ${line}`),
    "",
  ].join("\n");

const b = "b: { _: { role: $END } }";
const load = (text: string) => loadWorkflow(text, { file: "w.yaml" });
const edgeOf = async (graph: readonly string[], to = "b") =>
  (await load(file(graph))).moderator.find((edge) => edge.from === "a" && edge.to === to);

it("`_` is not for a status that an edge lets wait for a person", async () => {
  const edge = await edgeOf([ended, "a: { stuck: { role: $SUSPEND, prompt: Which? }, _: { role: b } }", b]);

  expect(edge?.when).toBe('!(output["$status"] in ["stuck"])');
});

describe("prompts of the status form", () => {
  it("tell what the whole work is about, and what was answered before", async () => {
    const edge = await edgeOf([
      ended,
      'a: { done: { role: b, prompt: "Do {{ text }}." }, stuck: { role: $END } }',
      b,
    ]);

    expect(edge?.prompt).toMatch(/^Do \{\{ text \}\}\.\n\nThis is part of .*\{\{ input \}\}.*steps/s);
  });

  it("do not tell again what they take up themselves", async () => {
    const prompt = "For {{ input }}, after {% for step in steps %}{{ step[0] }} {% endfor %}";

    const edge = await edgeOf([
      ended,
      `a: { done: { role: b, prompt: "${prompt}" }, stuck: { role: $END } }`,
      b,
    ]);

    expect(edge?.prompt).toBe(prompt);
  });

  it("are left as they are where they lead to no role", async () => {
    const graph = [
      ended,
      "a: { done: { role: b }, stuck: { role: $SUSPEND, prompt: Which? } }",
      'b: { _: { role: $END, prompt: "Done." } }',
    ];

    const { moderator } = await load(file(graph));

    expect(moderator.map(({ to, prompt }) => [to, prompt])).toEqual([
      ["a", null],
      ["b", null],
      ["$SUSPEND", "Which?"],
      ["$END", "Done."],
    ]);
  });

  it("may have triple braces, and fields that are not always there", async () => {
    const edge = await edgeOf([
      ended,
      'a: { done: { role: b, prompt: "{{{text}}} {{{ more }}}" }, stuck: { role: $END } }',
      b,
    ]);

    expect(edge?.prompt).toMatch(/^\{\{ text \}\} \{\{ {2}more {2}\}\}/);
  });

  it("say where to work", async () => {
    const edge = await edgeOf([
      ended,
      'a: { done: { role: b, prompt: Go., location: "{{{text}}}" }, stuck: { role: b, location: null } }',
      b,
    ]);

    expect(edge?.prompt).toContain("{{ text }}");
    expect(edge?.prompt).toContain("Work in {{ edge_location }}.");
  });
});

describe("problems of the status form", () => {
  const cases: [what: string, graph: string[], messages: string[]][] = [
    [
      "a variable that no schema provides",
      [ended, 'a: { done: { role: b, prompt: "Do {{ §txt }}" }, stuck: { role: $END } }', b],
      ['`txt`: no schema provides "txt"; did you mean "text"?'],
    ],
    [
      "the same in triple braces",
      [ended, 'a: { done: { role: b, prompt: "Do {{{ §txt }}}" }, stuck: { role: $END } }', b],
      ['`txt`: no schema provides "txt"; did you mean "text"?'],
    ],
    [
      "a field of another status",
      [ended, 'a: { done: { role: $END }, stuck: { role: b, prompt: "{{ §text }}" } }', b],
      ['`text`: no schema provides "text"'],
    ],
    [
      "a directory that no schema provides",
      [
        ended,
        'a: { done: { role: b, prompt: "Do it", location: §"{{ nowhere }}" }, stuck: { role: $END } }',
        b,
      ],
      ['`nowhere`: no schema provides "nowhere"'],
    ],
    [
      "a start that waits",
      ["$START: { new: { role: a }, resume: { role: §$SUSPEND } }", "a: { _: { role: b } }", b],
      ["a thread begins with a role: there is nothing to wait for yet"],
    ],
    [
      "edges out of waiting",
      [ended, "a: { _: { role: b } }", b, "§$SUSPEND: { done: { role: b } }"],
      ["no edge leads out of $SUSPEND"],
    ],
    [
      "a status that neither an edge nor `_` is for",
      [ended, "§a: { done: { role: b } }", b],
      ['$status "stuck" of role "a" has no edge'],
    ],
    [
      "a role that only waits",
      [ended, "a: { done: { role: b }, stuck: { role: $END } }", "b: { _: { role: $SUSPEND } }"],
      ['no way leads from role "b" to $END'],
    ],
  ];

  it.each(cases)("%s", async (_, graph, messages) => {
    const { text, places } = unmarked(file(graph));

    const found = await problemsOf(text);

    expect(found.map((line) => line.replace(/^\d+:\d+: /, ""))).toEqual(messages);
    if (places.length > 0) expect(found.map((line) => /^\d+:\d+/.exec(line)?.[0])).toEqual(places);
  });
});

it("says where conditions stand that have names of their own", async () => {
  const [first] = await problemsOf(`${file([ended, "a: { _: { role: b } }", b])}conditions: {}\n`);

  expect(first).toBe(
    "9:1: conditions: unknown field; an edge of `moderator` has its condition itself, as `when`, in CEL",
  );
});

describe("roles of the status form", () => {
  it("take empty lists and texts for nothing said", async () => {
    const a = 'goal: A, capabilities: [], procedure: "", output: [], extractPrompt: ""';

    const { roles } = await load(file([ended, "a: { _: { role: b } }", b], a));

    expect(roles.a?.systemPrompt).toBe("## Goal\n\nA");
  });

  it("need something said of the goal", async () => {
    const found = await problemsOf(file([ended, "a: { _: { role: b } }", b], 'goal: ""'));

    expect(found[0]).toContain('role "a" has no `systemPrompt` (or `goal`) and no `workflow`');
  });

  it("are told what they are to take from their answer, and what frontmatter is", async () => {
    const a = "goal: A, output: The frontmatter has it., extractPrompt: Take the text.";

    const { roles } = await load(file([ended, "a: { _: { role: b } }", b], a));

    expect(roles.a?.systemPrompt).toMatch(
      /## Output\n\nThe frontmatter has it\.\n\n## Answer\n\nTake the text\.\n\nWhere "frontmatter" is spoken of,/,
    );
  });

  it("must answer the status that routes them, whatever the file requires", async () => {
    const { roles } = await load(file([ended, "a: { done: { role: b }, stuck: { role: $END } }", b]));

    expect(roles.a?.schema).toMatchObject({
      oneOf: [{ required: ["text", "$status"] }, { required: ["$status"] }],
    });
  });

  it("are asked for the text of their answer where a prompt takes it", async () => {
    const graph = [ended, 'a: { done: { role: b, prompt: "{{ _body }}" }, stuck: { role: $END } }', b];

    const { roles } = await load(file(graph));

    expect(roles.a?.schema).toMatchObject({
      oneOf: [{ properties: { _body: { type: "string" } }, required: ["text", "$status", "_body"] }, {}],
    });
    expect(JSON.stringify(roles.b?.schema)).not.toContain("_body");
  });
});
