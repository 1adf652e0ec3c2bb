import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Catalogue } from "../../../src/designer/catalogue.ts";
import { checkFile } from "../../../src/designer/dry-run/check-file.ts";
import { findingsOf } from "../../../src/designer/dry-run/findings.ts";
import { bundledWorkflowNames, readBundledWorkflow } from "../../../src/workflow/bundled.ts";
import { type GeneratedWorkflow, workflowFiles } from "../../fixtures/generated-workflows.ts";

const catalogue: Catalogue = {
  agents: ["builtin"],
  tools: [],
  servers: [{ name: "docs", tools: ["search"] }],
  models: ["default"],
  triggers: [],
  publishes: [],
  workflows: [{ name: "develop", description: "" }],
  network: false,
};
const check = async (source: string, name = "generated") => {
  const { dryRun } = await checkFile(source, { name, catalogue });
  return { ...dryRun, findings: findingsOf(dryRun) };
};
const checkEdges = (moderator: GeneratedWorkflow["moderator"], fields: object, required: string[]) =>
  check(
    stringify({
      name: "generated",
      roles: {
        worker: { systemPrompt: "Work.", schema: { type: "object", required, properties: fields } },
      },
      moderator: [{ from: "$START", to: "worker" }, ...moderator],
    }),
  );

const bundled = await bundledWorkflowNames();

describe("checkFile", () => {
  it("passes whatever valid workflow is generated, over every edge", async () => {
    await fc.assert(
      fc.asyncProperty(workflowFiles, async (workflow) => {
        const result = await check(stringify(workflow));

        expect(result.findings).toEqual([]);
        expect(result).toMatchObject({ ok: true, end_reached: true });
        expect(result.edges.map(({ edge, ok }) => [edge, ok])).toEqual(
          workflow.moderator.map((_, n) => [n, true]),
        );
      }),
      { numRuns: 20 },
    );
  });

  it.each(bundled)("passes the bundled %s", async (name) => {
    expect((await check((await readBundledWorkflow(name)) ?? "", name)).findings).toEqual([]);
  });

  /** Each of these the loader lets pass. */
  const faults: readonly (readonly [string, (workflow: GeneratedWorkflow) => void, RegExp])[] = [
    [
      "an edge behind a condition that nothing makes true",
      ({ moderator }) =>
        moderator.splice(1, 0, { from: "role0", to: "$END", when: "visits.role0 > 3 && visits.role0 < 3" }),
      /edge 2, from role0 to \$END: it was never taken/,
    ],
    [
      "a condition on a field that may be missing",
      ({ roles, moderator }) => {
        // Of a type that can be compared with itself.
        Object.assign((roles.role0 as { schema: { properties: object } }).schema.properties, {
          c: { type: "string" },
        });
        moderator.splice(1, 0, { from: "role0", to: "$END", when: "output.c != output.c" });
      },
      /edge 2, from role0 to \$END: the condition .* cannot be decided: No such key: c after role0 answered/,
    ],
    [
      "a prompt that never comes to its end",
      ({ moderator }) => {
        moderator[0] = {
          from: "$START",
          to: "role0",
          prompt: "{% for n in (1..99999999) %}{{ n }}{% endfor %}",
        };
      },
      /edge 1, from \$START to role0: its prompt cannot be made/,
    ],
    [
      "a model that is not configured",
      ({ roles }) => Object.assign(roles.role0 as object, { model: "huge" }),
      /roles\.role0\.model: no model is called "huge"/,
    ],
    [
      "a tool of a server that is not configured",
      ({ roles }) =>
        Object.assign(roles.role0 as object, { tools: ["read_file", "docs:write", "mail:send"] }),
      /no configured MCP server has the tool "mail:send"/,
    ],
    [
      "another name than was agreed",
      (workflow) => Object.assign(workflow, { name: "other" }),
      /name: must be "generated"/,
    ],
    [
      "an unknown role, found with line and column when it is loaded",
      ({ moderator }) => moderator.push({ from: "role0", to: "nobody" }),
      /generated\.yaml:\d+:\d+: .*unknown role "nobody"/,
    ],
  ];

  it.each(faults)(
    "finds %s",
    async (_, spoil, finding) => {
      await fc.assert(
        fc.asyncProperty(workflowFiles, async (workflow) => {
          const spoiled = structuredClone(workflow);
          spoil(spoiled);

          const result = await check(stringify(spoiled));

          expect(result.ok).toBe(false);
          expect(result.findings.join("\n")).toMatch(finding);
        }),
        { numRuns: 4 },
      );
    },
    60_000,
  );

  it.each([
    ["a number just above a bound", "output.n > 100", { n: { type: "integer" } }],
    [
      "several fields at once",
      'output.n >= 3 && output.s == "x" && !output.b',
      { n: { type: "integer" }, s: { type: "string" }, b: { type: "boolean" } },
    ],
    ["a list that holds a text", '"urgent" in output.n', { n: { type: "array", items: { type: "string" } } }],
    [
      "an item of a kind",
      'output.n.exists(i, i.severity == "high")',
      {
        n: {
          type: "array",
          items: { type: "object", required: ["severity"], properties: { severity: { type: "string" } } },
        },
      },
    ],
    ["a text that begins in a certain way", 'output.n.startsWith("fix: ")', { n: { type: "string" } }],
    ["an empty list", "size(output.n) == 0", { n: { type: "array", items: { type: "string" } } }],
    ["a fraction", "output.n > 0.25 && output.n < 0.75", { n: { type: "number" } }],
    ["the thread's text", 'input.contains("docs")', {}],
    ["what began the thread", 'trigger == "review"', {}],
  ])("makes up an answer for %s", async (_, when, fields) => {
    const back = { from: "worker", to: "worker", when: "visits.worker < 4" };
    const result = await checkEdges(
      [{ from: "worker", to: "$END", when }, back, { from: "worker", to: "$SUSPEND" }],
      fields,
      Object.keys(fields),
    );

    expect(result.findings).toEqual([]);
  });

  it("works as often as a bound is high", async () => {
    const result = await checkEdges(
      [
        { from: "worker", to: "$END", when: "visits.worker == 9" },
        { from: "worker", to: "worker" },
      ],
      {},
      [],
    );

    expect(result.findings).toEqual([]);
  });

  it("goes on below an edge that waits, and by the edges of a thread that goes in again", async () => {
    const result = await checkEdges(
      [
        { from: "worker", to: "$SUSPEND", when: "!output.ok" },
        { from: "worker", to: "worker", when: "!output.ok", prompt: "A person has answered." },
        { from: "worker", to: "$END" },
      ],
      { ok: { type: "boolean" } },
      ["ok"],
    );

    expect(result.findings).toEqual([]);
  });

  it("says of each edge how it fared", async () => {
    const { edges, end_reached } = await checkEdges(
      [
        { from: "worker", to: "worker", when: "output.n == 1 && output.n == 2" },
        { from: "worker", to: "$END" },
      ],
      { n: { type: "integer" } },
      ["n"],
    );

    expect(end_reached).toBe(true);
    expect(edges).toEqual([
      { edge: 0, from: "$START", to: "worker", when: null, ok: true, finding: null },
      {
        ...{ edge: 1, from: "worker", to: "worker", when: "output.n == 1 && output.n == 2", ok: false },
        finding: expect.stringMatching(/^it was never taken: no answer was found/),
      },
      { edge: 2, from: "worker", to: "$END", when: null, ok: true, finding: null },
    ]);
  });
});
