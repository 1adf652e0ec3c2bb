import { afterEach, expect, it } from "vitest";
import type { ChatMessage } from "../../../src/llm/model.ts";
import { calls, says } from "../../../src/llm/scripted-model.ts";
import { ask, modelAt, readFileTool, requestOf } from "../../rigs/asking.ts";
import type { ModelScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const serve = async (script: ModelScript): Promise<ModelServer> => {
  server = await modelServer({ script });
  return server;
};
const responsesModel = (url: string) => modelAt(url, { provider: { api: "responses" } });

const thinking = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA=" };

it("streams text and counts tokens", async () => {
  const usage = { inputTokens: 70, cachedInputTokens: 60, outputTokens: 5, costUsd: null };
  const { url } = await serve(() => ({ content: "All is well, as far as I can see from here.", usage }));

  const { reply, pieces } = await ask(responsesModel(url));

  expect(reply).toMatchObject({ content: pieces.join(""), finish: "stop", reasoning: null, usage });
  expect(pieces.length).toBeGreaterThan(1);
});

it("sends every item back, reasoning before the call it led to, and asks to store nothing", async () => {
  const rig = await serve(({ messages }) =>
    messages.length === 1 ? { ...calls("read_file", { path: "a" }), reasoning: [thinking] } : says("done"),
  );
  const model = responsesModel(rig.url);
  const start: ChatMessage[] = [{ role: "user", content: "Go." }];

  const first = (await ask(model, requestOf(start, { tools: [readFileTool] }))).reply;
  const history: ChatMessage[] = [
    ...start,
    { role: "assistant", content: first.content, toolCalls: first.toolCalls, reasoning: first.reasoning },
    { role: "tool", callId: first.toolCalls[0]?.id ?? "", content: "1\tx" },
  ];
  const second = (await ask(model, requestOf(history, { tools: [readFileTool] }))).reply;

  expect(first).toMatchObject({
    finish: "tool-calls",
    toolCalls: [{ name: "read_file", arguments: '{"path":"a"}' }],
  });
  expect(second.content).toBe("done");
  expect(rig.requests[1]?.body).toMatchObject({
    store: false,
    include: ["reasoning.encrypted_content"],
    tools: [{ type: "function", name: "read_file" }],
    input: [
      { role: "user", content: "Go." },
      thinking,
      {
        type: "function_call",
        call_id: first.toolCalls[0]?.id,
        name: "read_file",
        arguments: '{"path":"a"}',
      },
      { type: "function_call_output", call_id: first.toolCalls[0]?.id, output: "1\tx" },
    ],
  });
});

it.each([
  ["length", "length"],
  ["filtered", "filtered"],
] as const)("says how a response ended: %s", async (finish, expected) => {
  const { url } = await serve(() => ({ content: "so far", finish }));

  const { reply } = await ask(responsesModel(url));

  expect(reply).toMatchObject({ content: "so far", finish: expected });
});

it("asks again when the stream ends without its last event", async () => {
  let asked = 0;
  const { url } = await serve(() => (asked++ === 0 ? { fault: "end", after: 4 } : says("whole")));

  const { reply, waits } = await ask(responsesModel(url));

  expect(reply.content).toBe("whole");
  expect(waits).toHaveLength(1);
});

it("does without encrypted reasoning where the model has none", async () => {
  const rig = await serve(({ body }) =>
    "include" in body
      ? {
          fault: "status",
          status: 400,
          body: { error: { message: "Encrypted content is not supported with this model." } },
        }
      : says("ok"),
  );

  const { reply } = await ask(responsesModel(rig.url));

  expect(reply.content).toBe("ok");
});
