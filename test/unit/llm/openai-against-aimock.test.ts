import { LLMock } from "@copilotkit/aimock";
import { afterEach, expect, it } from "vitest";
import { ask, modelAt, readFileTool, requestOf } from "../../rigs/asking.ts";

/** Somebody else's idea of the same APIs: what both servers take is more likely to be the protocol. */
let mock: LLMock | undefined;
afterEach(async () => {
  await mock?.stop();
  mock = undefined;
});

const serve = async (prepare: (mock: LLMock) => void): Promise<string> => {
  mock = new LLMock({ port: 0 });
  prepare(mock);
  await mock.start();
  return `${mock.url}/v1`;
};

it.each(["chat", "responses"] as const)("reads tool calls and usage over %s", async (api) => {
  const url = await serve((server) =>
    server.onMessage("Go.", {
      content: "Looking.",
      toolCalls: [{ id: "call_abc", name: "read_file", arguments: '{"path":"README.md"}' }],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 7,
        total_tokens: 18,
        input_tokens: 11,
        output_tokens: 7,
      },
    }),
  );

  const { reply } = await ask(
    modelAt(url, { provider: { api } }),
    requestOf(undefined, { tools: [readFileTool] }),
  );

  expect(reply).toMatchObject({
    content: "Looking.",
    finish: "tool-calls",
    toolCalls: [{ id: "call_abc", name: "read_file", arguments: '{"path":"README.md"}' }],
    usage: { inputTokens: 11, outputTokens: 7 },
  });
});

it.each(["chat", "responses"] as const)("sees that a stream over %s was truncated", async (api) => {
  const url = await serve((server) =>
    server.onMessage("Go.", { content: "x".repeat(500) }, { truncateAfterChunks: 2 }),
  );

  await expect(ask(modelAt(url, { provider: { api } }))).rejects.toMatchObject({ code: "model-unavailable" });
});
