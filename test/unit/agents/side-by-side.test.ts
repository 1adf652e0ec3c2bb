import { describe, expect, it } from "vitest";
import type { AdapterFn } from "../../../src/agents/adapter.ts";
import { createLlmAdapter } from "../../../src/agents/llm-adapter.ts";
import { createReactAdapter } from "../../../src/agents/react-adapter.ts";
import { agentToAdapter } from "../../../src/agents/text/agent-to-adapter.ts";
import type { TextAgentContext } from "../../../src/agents/text/text-agent.ts";
import type { Json, JsonSchema } from "../../../src/base/json.ts";
import type { Model } from "../../../src/llm/model.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { workflowAsAgent } from "../../../src/thread/workflow-as-agent.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { outputSchema } from "../../../src/workflow/schema.ts";
import { threadContext } from "../../fixtures/thread-context.ts";

/** The same replies, whoever asks: with a call where it may call, as text where it may only write. */
const modelThat = (answers: readonly Json[]): Model =>
  scriptedModel(
    answers.map(
      (output) =>
        ({ tools }) =>
          tools.some((tool) => tool.function.name === "resolve")
            ? { toolCalls: [{ name: "resolve", arguments: JSON.stringify({ output }) }] }
            : { content: `---\n${JSON.stringify(output)}\n---\nThat is all.` },
    ),
  );

/** An agent of one's own, which asks a model and gives back what it says. */
const textAgentOf = (model: Model) => {
  const ask = async (text: string, { signal }: TextAgentContext) => {
    const messages = [{ role: "user" as const, content: text }];
    const { content } = await model.ask({ messages, tools: [], toolChoice: "none" }, { signal });
    return { output: content, sessionId: "session" };
  };
  return {
    run: (context: TextAgentContext) => ask(context.prompt, context),
    continue: (_: string, message: string, context: TextAgentContext) => ask(message, context),
  };
};

const adapters: Readonly<Record<string, (model: Model) => AdapterFn>> = {
  createReactAdapter: (provider) =>
    createReactAdapter({ provider, tools: [], toolHandler: async () => "", maxRounds: 5 }),
  createLlmAdapter: (provider) => createLlmAdapter(provider),
  agentToAdapter: (provider) => agentToAdapter(textAgentOf(provider), null),
  workflowAsAgent: (provider) =>
    workflowAsAgent("code", {
      find: async () => oneRole,
      binding: {
        adapter: createReactAdapter({ provider, tools: [], toolHandler: async () => "", maxRounds: 5 }),
        overrides: null,
      },
    }),
};

const answerSchema: JsonSchema = {
  type: "object",
  properties: {
    status: { enum: ["done", "failed"] },
    version: { type: "string" },
    files: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, lines: { type: "integer" } },
        required: ["path"],
      },
    },
    note: { type: ["string", "null"] },
    attempts: { type: "integer", default: 1 },
  },
  required: ["status", "version", "files"],
};
const schema = outputSchema(answerSchema);
const oneRole = await loadWorkflow(
  JSON.stringify({
    version: 1,
    name: "code",
    roles: { coder: { systemPrompt: "You are the coder.", schema: answerSchema } },
    moderator: [
      { from: "$START", to: "coder" },
      { from: "coder", to: "$END" },
    ],
  }),
  { file: "code.yaml" },
);

const written: readonly (readonly [name: string, answer: Json, output: unknown])[] = [
  [
    "an output",
    { status: "done", version: "1.10", files: [{ path: "a.ts", lines: 3 }], note: null },
    { status: "done", version: "1.10", files: [{ path: "a.ts", lines: 3 }], note: null, attempts: 1 },
  ],
  [
    "text of several lines, quotes and signs",
    { status: "failed", version: "#1: \"two\"\n---\nthree: 'four'", files: [] },
    { status: "failed", version: "#1: \"two\"\n---\nthree: 'four'", files: [], attempts: 1 },
  ],
  [
    "values in the wrong type",
    { status: "done", version: 2, files: [{ path: "a.ts", lines: "3" }] },
    { status: "done", version: "2", files: [{ path: "a.ts", lines: 3 }], attempts: 1 },
  ],
  ["a suspension", { $status: "$SUSPEND", reason: "No key." }, { $status: "$SUSPEND", reason: "No key." }],
];

describe.each(Object.entries(adapters))("%s", (name, adapterOf) => {
  it.each(written)("plays a role that answers %s", async (_name, answer, output) => {
    const context = threadContext({ steps: [{ role: "planner", output: { plan: "Mend it." } }] });

    expect(await adapterOf(modelThat([answer]))("You are the coder.", schema)(context)).toEqual(output);
    expect(context.journal.turns[0]).toMatchObject({
      kind: "message",
      text: expect.stringContaining("Fix the bug."),
    });
    // What a workflow's roles reply stands in the thread of its own.
    if (name !== "workflowAsAgent") expect(context.journal.turns.at(-1)).toMatchObject({ kind: "reply" });
  });
});

describe.each(Object.entries(adapters).filter(([name]) => name !== "createLlmAdapter"))(
  "%s",
  (_, adapterOf) => {
    it("lets what does not fit be corrected", async () => {
      const answers = [{ status: "nearly" }, { status: "done", version: "1", files: [] }];

      expect(await adapterOf(modelThat(answers))("You are the coder.", schema)(threadContext())).toEqual({
        status: "done",
        version: "1",
        files: [],
        attempts: 1,
      });
    });
  },
);
