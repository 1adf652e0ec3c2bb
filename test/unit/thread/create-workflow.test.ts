import { describe, expect, it } from "vitest";
import type { AdapterFn } from "../../../src/agents/adapter.ts";
import { createWorkflow, type WorkflowFn } from "../../../src/thread/create-workflow.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { threadContext } from "../../fixtures/thread-context.ts";

const definition = await loadWorkflow(
  `
version: 1
name: pair
description: Two roles.
roles:
  one:
    description: First.
    systemPrompt: You are one.
    schema: { type: object, required: [x], properties: { x: { type: integer } } }
  two:
    description: Second.
    systemPrompt: You are two.
    schema: { type: object, required: [y], properties: { y: { type: integer } } }
moderator:
  - { from: $START, to: one }
  - { from: one, to: two, prompt: "x is {{ x }}" }
  - { from: two, to: $END }
`,
  { file: "pair.yaml" },
);

/** Plays a role by answering `output`, whatever it is asked; the schema must agree. */
const answers =
  (output: unknown): AdapterFn =>
  (_prompt, schema) =>
  async () =>
    schema.parse(output);

const collect = async (run: ReturnType<WorkflowFn>) => {
  const steps = [];
  for (;;) {
    const next = await run.next();
    if (next.done) return { steps, outcome: next.value };
    steps.push(next.value);
  }
};

describe("createWorkflow", () => {
  it("plays each role by its override or the common adapter, and returns how it ended", async () => {
    const workflow = createWorkflow(definition, {
      adapter: answers({ x: 1 }),
      overrides: { two: answers({ y: 2 }) },
    });

    const result = await collect(workflow({ input: "Go." }, { contextFor: async () => threadContext() }));

    expect(result).toEqual({
      steps: [
        { role: "one", task: "Go.", output: { x: 1 } },
        { role: "two", task: "x is 1", output: { y: 2 } },
      ],
      outcome: { kind: "end" },
    });
  });

  it("goes on after the steps it is given", async () => {
    const workflow = createWorkflow(definition, { adapter: answers({ y: 2 }), overrides: null });

    const { steps } = await collect(
      workflow(
        { input: "Go.", steps: [{ role: "one", task: "Go.", output: { x: 7 } }] },
        { contextFor: async () => threadContext() },
      ),
    );

    expect(steps).toEqual([{ role: "two", task: "x is 7", output: { y: 2 } }]);
  });

  it("ends with what an adapter throws", async () => {
    const workflow = createWorkflow(definition, { adapter: answers({ x: "no" }), overrides: null });

    await expect(
      collect(workflow({ input: "Go." }, { contextFor: async () => threadContext() })),
    ).rejects.toThrow(/x/);
  });
});
