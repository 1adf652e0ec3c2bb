import { describe, expect, it } from "vitest";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { oneRole, problemsOf, textSchema, twoRoles, unmarked } from "./workflow-files.ts";

const first = "{ from: $START, to: a }";
const on = "{ from: a, to: b }";
const last = "{ from: b, to: $END }";
const status = "{ type: object, required: [status], properties: { status: { enum: [done, blocked] } } }";
const published =
  "{ type: object, required: [title, body], properties: { title: { type: string }, body: { type: string } } }";
const statuses = [
  "{ oneOf: [",
  "{ type: object, required: [$status, plan], properties: { $status: { const: ready }, plan: { type: string } } },",
  "{ type: object, required: [$status], properties: { $status: { const: stuck } } }] }",
].join(" ");

const routed = (edges: string[], schema = status): string =>
  oneRole(
    `a: { systemPrompt: A, schema: ${schema} }`,
    ["moderator:", ...edges.map((edge) => `  - ${edge}`)].join("\n"),
  );
const graph = (lines: string[], schema = statuses): string =>
  oneRole(
    `§a: { systemPrompt: A, schema: ${schema} }`.replace("§", ""),
    ["graph:", ...lines.map((line) => `  ${line}`)].join("\n"),
  );
const withSchema = (schema: string): string => oneRole(`a: { systemPrompt: A, schema: ${schema} }`);

/** `§` stands before each place where a problem is expected. */
type Case = [what: string, marked: string, messages: string[]];

const routes: Case[] = [
  [
    "an unknown role",
    twoRoles([first, "{ from: a, to: §bb }", last]),
    ['unknown role "bb"; did you mean "b"?'],
  ],
  [
    "an edge from an unknown role",
    twoRoles([first, on, last, "{ from: §zzzzzz, to: a }"]),
    ['unknown role "zzzzzz"'],
  ],
  [
    "a role that nothing leads to",
    twoRoles([first, "{ from: a, to: $END }", last]).replace("  b:", "  §b:"),
    ['nothing leads to role "b"'],
  ],
  [
    "a role without an edge out",
    twoRoles([first, on, "{ from: a, to: $END, when: visits.a > 1 }"].reverse()).replace("  b:", "  §b:"),
    ['role "b" has no edge out; $END is the end'],
  ],
  [
    "a loop without an end",
    twoRoles([first, on, "{ from: b, to: a }"]).replace("  a:", "  §a:").replace("  b:", "  §b:"),
    ['no way leads from role "a" to $END', 'no way leads from role "b" to $END'],
  ],
  [
    "no beginning",
    twoRoles(["{ from: $START, to: a, on: resume }", on, last]).replace("moderator", "§moderator"),
    ["there is no edge from $START: where does a thread begin?"],
  ],
  [
    "edges into the start and out of the end",
    twoRoles([first, on, "{ from: b, to: §__START__, when: visits.b < 3 }", last, "{ from: §$END, to: a }"]),
    ["no edge leads to $START", "no edge leads out of $END"],
  ],
  [
    "`on` where it means nothing",
    twoRoles([first, "{ from: a, to: b, on: §new }", last]),
    ["only an edge from $START has `on`"],
  ],
  [
    "an edge behind one that always holds",
    twoRoles([first, on, last, "{ from: §a, to: $END }"]),
    ['never taken: an edge of role "a" before this one always holds'],
  ],
  [
    "a second beginning",
    twoRoles([first, "{ from: §$START, to: b, on: new }", on, last]),
    ["never taken: an edge of $START before this one always holds"],
  ],
];

const prompts: Case[] = [
  [
    "a variable that no schema provides",
    twoRoles([first, '{ from: a, to: b, prompt: "Do {{ §txt }}" }', last]),
    ['`txt`: no schema provides "txt"; did you mean "text"?'],
  ],
  [
    "the same below a `|`",
    twoRoles([
      first,
      "from: a\n    to: b\n    prompt: |\n\n      One.\n        {{ text }} and {{ §nope }}",
      last,
    ]),
    ['`nope`: no schema provides "nope"; did you mean "note"?'],
  ],
  [
    "the same in a folded text, at its beginning",
    twoRoles([first, "from: a\n    to: b\n    prompt: §>\n      One,\n      {{ nope }}", last]),
    ['`nope`: no schema provides "nope"; did you mean "note"?'],
  ],
  [
    "an unknown field of a field",
    twoRoles([first, "{ from: a, to: b, prompt: '{{ §text.first }}' }", last]),
    ['`text.first`: no schema provides "first"'],
  ],
  [
    "a variable that may be missing",
    twoRoles([first, '{ from: a, to: b, prompt: "{{ §note }}" }', last]),
    ['`note` may be missing: ask with {% if note %}, or give it a default: {{ note | default: "…" }}'],
  ],
  [
    "an output before there is one",
    twoRoles(['{ from: $START, to: a, prompt: "{{ §text }}" }', on, last]),
    ["`text` is not known before the first role; a prompt here can use `input`"],
  ],
  [
    "a field of the input",
    twoRoles(['{ from: $START, to: a, prompt: "{{ §input.title }}" }', on, last]),
    ["`input` is text: it has no fields"],
  ],
  [
    "a step that may not have been made",
    twoRoles([first, '{ from: a, to: a, when: "visits.a < 2", prompt: "{{ §steps.b.text }}" }', on, last]),
    [
      'role "b" may not have run when this edge is taken: ask with {% if steps.b.text %}, or give it a default: {{ steps.b.text | default: "…" }}',
    ],
  ],
  [
    "a step of an unknown role",
    twoRoles([first, '{ from: a, to: b, prompt: "{{ §steps.c.text }}" }', last]),
    ['`steps.c`: unknown role "c"; did you mean "a"?'],
  ],
  [
    "an unknown field of a step",
    twoRoles([first, on, '{ from: b, to: $END, prompt: "{{ §steps.a.texd }}" }']),
    ['`steps.a.texd`: no schema provides "texd"; did you mean "text"?'],
  ],
  [
    "a field that only another status has",
    graph([
      "$START: { new: { role: a } }",
      "a:",
      "  ready: { role: $END }",
      "  stuck: { role: a, prompt: 'Go on with {{ §plan }}' }",
    ]),
    ['`plan`: no schema provides "plan"'],
  ],
  [
    "a field of alternatives that were routed elsewhere",
    routed(
      [
        first,
        `{ from: a, to: $END, when: 'output["$status"] == "ready"' }`,
        "{ from: a, to: a, prompt: '{{ §plan }}' }",
      ],
      statuses,
    ),
    ['`plan`: no schema provides "plan"'],
  ],
  [
    "a tag that is not closed",
    twoRoles(['{ from: $START, to: a, prompt: "a §{% if input %}" }', on, last]),
    ["not a Liquid template: tag {% if input %} not closed"],
  ],
  [
    "an unknown filter",
    twoRoles(['{ from: $START, to: a, prompt: "§{{ input | shout }}" }', on, last])
      .replace("§{{", "{{")
      .replace('prompt: "', 'prompt: §"'),
    ["not a Liquid template: undefined filter: shout"],
  ],
  [
    "a template that reads files",
    twoRoles([`{ from: $START, to: a, prompt: §'{% include "/etc/passwd" %}' }`, on, last]),
    ['not a Liquid template: tag "include" not found'],
  ],
];

const conditions: Case[] = [
  [
    "CEL that does not parse",
    twoRoles([first, '{ from: a, to: b, when: "output.text ==§" }', last]),
    ["the condition ends too early"],
  ],
  [
    "CEL over an unknown field",
    twoRoles([first, "{ from: a, to: b, when: output.§texd == 'x' }", last]),
    ['there is no field or role "texd" here; did you mean "text"?'],
  ],
  [
    "CEL over an unknown role",
    twoRoles([first, "{ from: a, to: b, when: visits.§c < 3 }", last]),
    ['there is no field or role "c" here; did you mean "a"?'],
  ],
  [
    "CEL over an unknown variable",
    twoRoles([first, "{ from: a, to: b, when: §outptu.text == 'x' }", last]),
    ['unknown variable "outptu"; did you mean "output"? (there are output, steps, visits, input, trigger)'],
  ],
  [
    "CEL of types that do not fit",
    twoRoles([first, "{ from: a, to: b, when: §output.text == 3 }", last]),
    ["no such overload: string == int"],
  ],
  [
    "CEL that is no boolean",
    twoRoles([first, "{ from: a, to: b, when: §visits.a }", last]),
    ["a condition must be true or false; this is of type int"],
  ],
  [
    "CEL over the output before there is one",
    twoRoles(["{ from: $START, to: a, when: §output.text == 'x' }", on, last]),
    ["there is no output before the first role"],
  ],
];

const statusCases: Case[] = [
  [
    "a status without an edge, in a table",
    routed([first, `{ from: a, to: $END, when: 'output.status == "done"' }`]).replace(
      "schema: ",
      "schema: §",
    ),
    ['status "blocked" of role "a" has no edge'],
  ],
  [
    "a condition on a status that there is not",
    routed([
      first,
      `{ from: a, to: $END, when: §'output.status == "finished"' }`,
      "{ from: a, to: a, when: visits.a < 3 }",
    ]),
    ['never taken: `status` of role "a" is one of "done", "blocked"'],
  ],
  [
    "a condition whose statuses are all gone",
    routed([
      first,
      `{ from: a, to: $END, when: 'output.status in ["done", "blocked"]' }`,
      `{ from: a, to: a, when: §'output.status == "done"' }`,
    ]),
    ['never taken: edges of role "a" before this one hold for every `status` that this is for'],
  ],
  [
    "a status without an edge, in the status form",
    graph(["$START: { new: { role: a } }", "§a: { ready: { role: $END } }"]),
    ['$status "stuck" of role "a" has no edge'],
  ],
  [
    "an edge for a status that there is not",
    graph([
      "$START: { new: { role: a } }",
      "a:",
      "  ready: { role: $END }",
      "  stuck: { role: $END }",
      "  §done: { role: $END }",
    ]),
    ['never taken: `$status` of role "a" is one of "ready", "stuck"'],
  ],
  [
    "the status form over a schema without `$status`",
    graph(["$START: { new: { role: a } }", "a: { done: { role: $END } }"], status).replace(
      "a: { systemPrompt",
      "§a: { systemPrompt",
    ),
    ['role "a" is routed by its `$status`, but its schema requires no `$status` with fixed values'],
  ],
  [
    "an edge for the suspension",
    graph([
      "$START: { new: { role: a } }",
      "a: { ready: { role: $END }, stuck: { role: $END }, §§$SUSPEND: { role: $END } }",
    ]),
    [
      "$SUSPEND has no edge: the thread waits for a person",
      'never taken: `$status` of role "a" is one of "ready", "stuck"',
    ],
  ],
  [
    "a start that is neither new nor resumed",
    graph([
      "$START: { new: { role: a }, §first: { role: a } }",
      "a: { ready: { role: $END }, stuck: { role: $END } }",
    ]),
    ['$START has `new` and `resume`, not "first"'],
  ],
];

const schemas: Case[] = [
  [
    "a remote reference",
    withSchema("{ type: object, properties: { x: { $ref: §'https://example.org/x.json' } } }"),
    ['remote `$ref` "https://example.org/x.json": only "#/$defs/…" of the same schema is allowed'],
  ],
  [
    "a reference that leads nowhere",
    withSchema("{ type: object, properties: { x: { $ref: §'#/$defs/y' } } }"),
    ['`$ref` "#/$defs/y" leads nowhere; references are "#" and "#/$defs/<name>"'],
  ],
  [
    "a type that there is not",
    withSchema("{ type: object, properties: { x: { type: §text } } }"),
    [
      "not a JSON Schema: properties.x.type must be one of array, boolean, integer, null, number, object, string, or must be array",
    ],
  ],
  [
    "a keyword that we cannot check",
    withSchema("{ type: object, not: §{ required: [x] } }"),
    ["the keyword `not` is not supported"],
  ],
  [
    "a broken pattern",
    withSchema("{ type: object, properties: { x: { type: string, pattern: §'(' } } }"),
    ["Invalid regular expression: /(/: Unterminated group"],
  ],
  [
    "an output that is no object",
    withSchema("§{ type: string }"),
    ["a role answers an object: its schema needs `type: object`"],
  ],
  [
    "another dialect",
    withSchema("{ type: object, $schema: §'http://json-schema.org/draft-07/schema#' }"),
    ["schemas are JSON Schema 2020-12 (https://json-schema.org/draft/2020-12/schema)"],
  ],
  [
    "a reference that an alias shares",
    `x: 1\n`.slice(4) +
      oneRole(
        "a: { systemPrompt: A, schema: { type: object, properties: { x: &x { $ref: §'http://x' }, y: *x } } }",
      ),
    ['remote `$ref` "http://x": only "#/$defs/…" of the same schema is allowed'],
  ],
];

const roles: Case[] = [
  [
    "an unknown tool",
    oneRole(`a: { systemPrompt: A, tools: [read_file, §read_fiel], schema: ${textSchema} }`),
    ['unknown tool "read_fiel"; did you mean "read_file"?'],
  ],
  [
    "a tool twice",
    oneRole(`a: { systemPrompt: A, tools: [cas_get, §cas_get], schema: ${textSchema} }`),
    ['the tool "cas_get" is there twice'],
  ],
  [
    "publishing without title and body",
    oneRole(`a: { systemPrompt: A, publish: §pull-request, schema: ${textSchema} }`),
    ['role "a" publishes a pull request: its schema must require `title` and `body` as string'],
  ],
  [
    "publishing a review without its text",
    oneRole(`a: { systemPrompt: A, publish: §review, schema: ${textSchema} }`),
    ['role "a" publishes a review: its schema must require `body` as string'],
  ],
  [
    "publishing something else",
    oneRole(`a: { systemPrompt: A, publish: §release, schema: ${textSchema} }`),
    ['roles.a.publish: must be one of "pull-request", "review"'],
  ],
  [
    "an approval that is none",
    oneRole(`a: { systemPrompt: A, approval: §optional, schema: ${textSchema} }`),
    ['roles.a.approval: must be "required"'],
  ],
  [
    "an approval of what is published before",
    oneRole(`a: { systemPrompt: A, publish: pull-request, §approval: required, schema: ${published} }`),
    ['what role "a" answers is published at once: let a role before it be approved'],
  ],
  [
    "an approval after which nothing comes",
    twoRoles(
      [first, "{ from: a, to: $END, when: visits.a > 1 }", on],
      `{ systemPrompt: A, schema: ${textSchema} }`,
    ).replace("  b: { systemPrompt", "  §b: { approval: required, systemPrompt"),
    ['role "b" has no edge out; $END is the end'],
  ],
  [
    "an approval that leads back to itself alone",
    oneRole(
      `§a: { systemPrompt: A, approval: required, schema: ${textSchema} }`,
      "moderator: [{ from: $START, to: a }, { from: a, to: a }]",
    ),
    ['no way leads from role "a" to $END'],
  ],
  [
    "a role without a prompt",
    oneRole(`§a: { schema: ${textSchema} }`),
    ['role "a" has no `systemPrompt` (or `goal`) and no `workflow`'],
  ],
  [
    "a role without a schema",
    oneRole("§a: { systemPrompt: A }"),
    ['role "a" has no `schema`: the JSON Schema of what it answers'],
  ],
  [
    "two prompts",
    oneRole(`a: { systemPrompt: A, §goal: G, schema: ${textSchema} }`),
    ["`systemPrompt` and `goal` say the same thing: keep one"],
  ],
  [
    "two schemas",
    oneRole(`a: { systemPrompt: A, schema: ${textSchema}, §frontmatter: ${textSchema} }`),
    ["`frontmatter` is another name of `schema`: keep one"],
  ],
  [
    "a prompt for a role that a workflow plays",
    oneRole(`a: { workflow: develop, §tools: [], schema: ${textSchema} }`),
    ['role "a" is played by a workflow, which has its own `tools`'],
  ],
  [
    "limits for a role that a workflow plays",
    oneRole(`a: { workflow: develop, §limits: { maxTurns: 3 }, schema: ${textSchema} }`),
    ['role "a" is played by a workflow, which has its own `limits`'],
  ],
  [
    "two moderators",
    `${oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`)}§graph: { $START: { new: { role: a } } }\n`,
    ["a workflow has `moderator` or `graph`, not both"],
  ],
  [
    "no moderator",
    `§${oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`, "")}`,
    ["missing `moderator` (or `graph`): the edges between the roles"],
  ],
];

const fields: Case[] = [
  [
    "an unknown field",
    oneRole(`a: { §systemPromt: A, schema: ${textSchema} }`),
    ['roles.a.systemPromt: unknown field; did you mean "systemPrompt"?'],
  ],
  [
    "a field with the name of one that belongs elsewhere",
    "§name: x\n§role: { a: { goal: A } }",
    ["roles: missing, must be an object", 'role: unknown field; did you mean "roles"?'],
  ],
  ["a missing field", twoRoles(["§{ from: $START }"]), ["moderator[0].to: missing, must be a string"]],
  [
    "a field of another type",
    oneRole(`a: { systemPrompt: §[A], schema: ${textSchema} }`),
    ["roles.a.systemPrompt: must be a string"],
  ],
  [
    "a field of two possible types",
    oneRole(`a: { goal: §3, schema: ${textSchema} }`),
    ["roles.a.goal: must be a string or a list"],
  ],
  [
    "a limit out of bounds",
    oneRole(`a: { systemPrompt: A, limits: { maxTurns: §0 }, schema: ${textSchema} }`),
    ["roles.a.limits.maxTurns: must be at least 1"],
  ],
  [
    "an empty prompt",
    oneRole(`a: { systemPrompt: §"", schema: ${textSchema} }`),
    ["roles.a.systemPrompt: must not be empty"],
  ],
  [
    "another version",
    `version: §2\n${oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`)}`,
    ["version: must be 1"],
  ],
  [
    "a bad name of the workflow",
    oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`).replace("name: w", "name: §../w"),
    ["name: must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first"],
  ],
  [
    "the name of the designer's workflow",
    oneRole(`a: { systemPrompt: A, schema: ${textSchema} }`).replace("name: w", "name: §design"),
    ['"design" is uwf\'s own, played by its designer: choose another name'],
  ],
  [
    "a role named like a part of JavaScript",
    oneRole(`§constructor: { systemPrompt: A, schema: ${textSchema} }`),
    ["roles.constructor: is a word of JavaScript: choose another name"],
  ],
  [
    "no roles",
    "name: w\nroles: §{}\nmoderator: [{ from: $START, to: $END }]\n",
    ["roles: must have at least one role"],
  ],
  ["a list", "§- a\n", ["the file must be an object, with `name`, `roles` and `moderator`"]],
  ["nothing", "§", ["the file is empty"]],
  [
    "several problems, in order",
    routed([first, '{ from: a, to: $END, when: §"1" }']).replace(
      "systemPrompt: A",
      "systemPrompt: A, tools: [§nope]",
    ),
    ['unknown tool "nope"', "a condition must be true or false; this is of type int"],
  ],
];

describe("loadWorkflow", () => {
  it("reads a workflow", async () => {
    const text = twoRoles([first, on, last]);

    const workflow = await loadWorkflow(text, { file: "w.yaml" });

    expect(Object.keys(workflow.roles)).toEqual(["a", "b"]);
    expect(workflow).toMatchObject({
      name: "w",
      roles: { a: { name: "a", systemPrompt: "A", tools: null, model: null, limits: {}, publish: null } },
      moderator: [
        { from: "$START", to: "a", when: null, prompt: null, on: null },
        { from: "a", to: "b" },
        { from: "b", to: "$END" },
      ],
    });
  });

  it.each([...routes, ...prompts, ...conditions, ...statusCases, ...schemas, ...roles, ...fields])(
    "finds %s",
    async (_, marked, messages) => {
      const { text, places } = unmarked(marked);

      const found = await problemsOf(text);

      expect(found).toEqual(messages.map((message, index) => `${places[index]}: ${message}`));
    },
  );

  it("takes a review that is a text alone", async () => {
    const schema = "{ type: object, required: [body], properties: { body: { type: string } } }";

    expect(await problemsOf(oneRole(`a: { systemPrompt: A, publish: review, schema: ${schema} }`))).toEqual(
      [],
    );
  });

  it("lets a prompt ask for what may be missing", async () => {
    const text = twoRoles([
      first,
      `{ from: a, to: a, when: visits.a < 3, prompt: "{% if steps.b %}{{ steps.b.text }}{% endif %}{{ note | default: 'none' }}" }`,
      `{ from: a, to: b, prompt: '{% if note %}{{ note }}{% endif %} {{ output.text }}' }`,
      "{ from: b, to: $END, prompt: '{{ steps.a.text }}' }",
    ]);

    expect(await problemsOf(text)).toEqual([]);
  });

  it("accepts tools of configured servers", async () => {
    const text = oneRole(`a: { systemPrompt: A, tools: [jira_search], schema: ${textSchema} }`);

    const workflow = await loadWorkflow(text, { file: "w.yaml", moreTools: ["jira_search"] });

    expect(workflow.roles.a?.tools).toEqual(["jira_search"]);
  });

  it("lists at most fifty problems and says how many more there are", async () => {
    const edges = Array.from({ length: 60 }, (_, index) => `{ from: a, to: nobody${index} }`);

    const found = await problemsOf(twoRoles([first, on, last, ...edges]));

    expect(found).toHaveLength(51);
    expect(found.at(-1)).toMatch(/^ and \d+ more problems$/);
  });
});
