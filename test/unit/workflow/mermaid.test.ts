import { expect, it } from "vitest";
import { mermaid } from "../../../src/workflow/mermaid.ts";
import type { Role, Workflow } from "../../../src/workflow/workflow.ts";

const role = (name: string, more: Partial<Role> = {}): Role => ({
  name,
  description: "",
  systemPrompt: "",
  schema: {},
  tools: null,
  model: null,
  limits: {},
  publish: null,
  workflow: null,
  ...more,
});

const edge = (
  from: string,
  to: string,
  more: Partial<Workflow["moderator"][number]> = {},
): Workflow["moderator"][number] => ({
  from,
  to,
  when: null,
  prompt: null,
  on: null,
  ...more,
});

it("draws roles, sub-workflows, publishers and labelled edges", () => {
  const workflow: Workflow = {
    name: "w",
    description: "",
    roles: {
      end: role("end"),
      "b.c": role("b.c", { workflow: "develop" }),
      submit: role("submit", { publish: "pull-request" }),
    },
    moderator: [
      edge("$START", "end", { on: "new" }),
      edge("end", "b.c", { when: 'output["$status"] == "ready"' }),
      edge("b.c", "submit", { when: 'output.x == "<b>|]"\n && visits.end < 3' }),
      edge("submit", "$END"),
    ],
  };

  expect(mermaid(workflow)).toBe(
    [
      "flowchart TD",
      '  start(["$START"])',
      '  role0["end"]',
      '  role1[["b.c<br/>workflow: develop"]]',
      '  role2["submit<br/>pull-request"]',
      '  finish(["$END"])',
      '  start -->|"new"| role0',
      '  role0 -->|"ready"| role1',
      '  role1 -->|"output.x == #34;#60;b#62;#124;#93;#34; #38;#38; visits.end #60; 3"| role2',
      "  role2 --> finish",
      "",
    ].join("\n"),
  );
});

it("marks a role whose answer a person approves", () => {
  const workflow: Workflow = {
    name: "w",
    description: "",
    roles: { plan: role("plan", { approval: "required" }) },
    moderator: [edge("$START", "plan"), edge("plan", "$END")],
  };

  expect(mermaid(workflow)).toContain('role0["plan<br/>approval required"]');
});

it("shortens long conditions without cutting a character in two", () => {
  const workflow: Workflow = {
    name: "w",
    description: "",
    roles: { a: role("a") },
    moderator: [edge("a", "$END", { when: "😀".repeat(200) })],
  };

  const label = /\|"(.*)"\|/.exec(mermaid(workflow))?.[1];

  expect(label).toBe(`${"#128512;".repeat(79)}…`);
});

it("draws the edges that lead to a person", () => {
  const workflow: Workflow = {
    name: "w",
    description: "",
    roles: { plan: role("plan") },
    moderator: [
      edge("$START", "plan"),
      edge("plan", "$SUSPEND", { when: 'output["$status"] == "unclear"' }),
      edge("plan", "$END"),
    ],
  };

  const lines = mermaid(workflow).split("\n");

  expect(lines).toContain('  wait(["$SUSPEND"])');
  expect(lines).toContain('  role0 -->|"unclear"| wait');
});
