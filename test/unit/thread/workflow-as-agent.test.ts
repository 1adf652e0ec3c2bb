import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AdapterBinding, ThreadContext } from "../../../src/agents/adapter.ts";
import { memoryJournal } from "../../../src/agents/memory-journal.ts";
import { createReactAdapter } from "../../../src/agents/react-adapter.ts";
import type { Hash } from "../../../src/base/ids.ts";
import { newThreadId } from "../../../src/base/ids.ts";
import { resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { workflowAsAgent } from "../../../src/thread/workflow-as-agent.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";

const yaml = `
name: count
roles:
  counter:
    goal: Count.
    schema: { type: object, required: [status, summary], properties: { status: { enum: [done] }, summary: { type: string } } }
moderator:
  - { from: $START, to: counter }
  - { from: counter, to: $END }
`;
const schema = z.object({ status: z.enum(["done", "failed"]), summary: z.string() });

const playing = (
  script: Parameters<typeof scriptedModel>[0],
): AdapterBinding & { model: ReturnType<typeof scriptedModel> } => {
  const model = scriptedModel(script);
  const adapter = createReactAdapter({
    provider: model,
    tools: [],
    toolHandler: async () => "",
    maxRounds: 5,
  });
  return { adapter, overrides: null, model };
};
const find = async (name: string) => {
  if (name !== "count") throw new Error(`no workflow ${name}`);
  return loadWorkflow(yaml, { file: "count.yaml" });
};
const context = (change: Partial<ThreadContext> = {}): ThreadContext => ({
  threadId: newThreadId(),
  depth: 0,
  workflow: "0".repeat(52) as Hash,
  start: { input: "All of it.", source: null, parentThread: null },
  steps: [],
  role: "outer",
  task: "Count the lines.",
  signal: new AbortController().signal,
  journal: memoryJournal(),
  ...change,
});

describe("workflowAsAgent", () => {
  it("gives the workflow the task alone, and answers what its last role does", async () => {
    const binding = playing([resolves({ status: "done", summary: "12 lines" })]);

    const output = await workflowAsAgent("count", { find, binding })("", schema)(context());

    expect(output).toEqual({ status: "done", summary: "12 lines" });
    expect(binding.model.asked[0]?.at(-1)).toEqual({ role: "user", content: "Count the lines." });
    binding.model.assertDone();
  });

  it("answers that it failed", async () => {
    const binding = playing([new Error("no power")]);

    expect(await workflowAsAgent("count", { find, binding })("", schema)(context())).toEqual({
      status: "failed",
      summary: "The workflow count failed: no power",
    });
  });

  it("begins no workflow that would lie too deep", async () => {
    const binding = playing([]);

    const output = await workflowAsAgent("count", { find, binding, maxDepth: 1 })("", schema)(
      context({ depth: 1 }),
    );

    expect(output).toMatchObject({ status: "failed", summary: expect.stringContaining("1 deep") });
  });

  it("rejects for a name that nothing has, and when it is cancelled", async () => {
    const cancelled = new AbortController();
    const binding = playing([
      async () => {
        await Promise.resolve();
        cancelled.abort(new Error("stop"));
        throw new Error("cut off");
      },
    ]);

    await expect(workflowAsAgent("cuont", { find, binding })("", schema)(context())).rejects.toThrow("cuont");
    await expect(
      workflowAsAgent("count", { find, binding })("", schema)(context({ signal: cancelled.signal })),
    ).rejects.toThrow("stop");
  });
});
