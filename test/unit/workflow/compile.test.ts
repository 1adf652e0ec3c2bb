import { describe, expect, it } from "vitest";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { oneRole, textSchema, twoRoles } from "./workflow-files.ts";

const role = (statuses: string[]): string =>
  `{ systemPrompt: P, schema: { type: object, required: [$status], properties: { $status: { enum: [${statuses.join(", ")}] } } } }`;

const roles = `roles:\n  planner: ${role(["ready", "'needs \"more\"'"])}\n  coder: ${role(["done"])}\n`;

const table = `name: w
${roles}
moderator:
  - { from: $START, to: planner, prompt: "Plan {{ input }}", on: new }
  - { from: $START, to: coder, on: resume }
  - { from: planner, to: coder, when: 'output["$status"] == "ready"', prompt: "{{ input }}, {{ steps.planner }}" }
  - { from: planner, to: planner, when: 'output["$status"] == "needs \\"more\\""' }
  - { from: coder, to: $END, when: 'output["$status"] == "done"' }
`;

const graph = `name: w
${roles}
graph:
  $START:
    new: { role: planner, prompt: "Plan {{ input }}" }
    resume: { role: coder }
  planner:
    ready: { role: coder, prompt: "{{ input }}, {{ steps.planner }}" }
    'needs "more"': { role: planner }
  coder:
    done: { role: $END }
`;

const load = (text: string) => loadWorkflow(text, { file: "w.yaml" });

describe("compile", () => {
  it("makes the same table of both forms", async () => {
    expect(await load(graph)).toEqual(await load(table));
  });

  it("takes the other names of start and end", async () => {
    const other = graph.replaceAll("$START", "__START__").replaceAll("$END", "__END__");

    expect(await load(other)).toEqual(await load(graph));
  });

  it("composes a system prompt of goal, capabilities, procedure and output", async () => {
    const text = oneRole(
      [
        "a:",
        "    goal: Plan the work.",
        "    capabilities: [reading, planning]",
        "    procedure: [Look., Think.]",
        "    output: The plan.",
        `    frontmatter: ${textSchema}`,
      ].join("\n"),
    );

    const workflow = await load(text);

    expect(workflow.roles.a?.systemPrompt).toBe(
      "## Goal\n\nPlan the work.\n\n## Capabilities\n\n- reading\n- planning\n\n## Procedure\n\n1. Look.\n2. Think.\n\n## Output\n\nThe plan.",
    );
    expect(workflow.roles.a?.schema).toMatchObject({ type: "object", required: ["text"] });
  });

  it("keeps a role that another workflow plays", async () => {
    const workflow = await load(oneRole(`a: { workflow: develop, schema: ${textSchema} }`));

    expect(workflow.roles.a).toMatchObject({ workflow: "develop", systemPrompt: "" });
  });

  it("keeps whose answer a person approves, and says nothing of it for others", async () => {
    const edges = ["{ from: $START, to: a }", "{ from: a, to: b }", "{ from: b, to: $END }"];
    const a = `{ systemPrompt: A, approval: required, schema: ${textSchema} }`;

    const { roles } = await load(twoRoles(edges, a).replace("b: {", "b: { approval: null,"));

    expect(roles.a?.approval).toBe("required");
    expect(roles.b).not.toHaveProperty("approval");
  });
});
