import { afterEach, describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../src/llm/model.ts";
import { calls, says } from "../../../src/llm/scripted-model.ts";
import { ask, KEY, modelAt, readFileTool, requestOf } from "../../rigs/asking.ts";
import type { ModelScript } from "../../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const serve = async (script: ModelScript): Promise<ModelServer> => {
  server = await modelServer({ script, apiKey: KEY });
  return server;
};

describe("a chat completion", () => {
  it("gives on the text as it comes, and whole at the end", async () => {
    const { url } = await serve(() => says("The quick brown fox jumps over the lazy dog, twice."));

    const { reply, pieces } = await ask(modelAt(url));

    expect(reply).toMatchObject({ model: "m-1", finish: "stop", toolCalls: [], reasoning: null });
    expect(reply.content).toBe("The quick brown fox jumps over the lazy dog, twice.");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(reply.content);
  });

  it("puts several tool calls together from their pieces", async () => {
    const long = { path: "a/".repeat(100) };
    const { url } = await serve(() => calls("read_file", long, calls("git_log", {}, says("ignored"))));

    const { reply } = await ask(modelAt(url), requestOf(undefined, { tools: [readFileTool] }));

    expect(reply.finish).toBe("tool-calls");
    expect(reply.toolCalls).toEqual([
      { id: "call_1_1", name: "read_file", arguments: JSON.stringify(long) },
      { id: "call_1_2", name: "git_log", arguments: "{}" },
    ]);
  });

  it("prices the tokens that the server counted", async () => {
    const usage = { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 100, costUsd: null };
    const { url } = await serve(() => ({ content: "hi", usage }));

    const { reply } = await ask(
      modelAt(url, { model: { price: { input: 2, cachedInput: 0.5, output: 10 } } }),
    );

    expect(reply.usage).toMatchObject({ inputTokens: 1000, cachedInputTokens: 400, outputTokens: 100 });
    expect(reply.usage.costUsd).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 12);
  });

  it.each([
    ["length", "length"],
    ["filtered", "filtered"],
  ] as const)("says how a reply ended: %s", async (finish, expected) => {
    const { url } = await serve(() => ({ content: "so far", finish }));

    const { reply } = await ask(modelAt(url));

    expect(reply).toMatchObject({ content: "so far", finish: expected });
  });

  it("sends the history in the API's form, the same bytes each time", async () => {
    const rig = await serve(() => says("ok"));
    const history: ChatMessage[] = [
      { role: "system", content: "You are it." },
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "c1", name: "read_file", arguments: '{"path": "a"' }],
        reasoning: { reasoning_content: "Hm." },
      },
      { role: "tool", callId: "c1", content: "not JSON" },
    ];
    const model = modelAt(rig.url);
    const request = requestOf(history, { tools: [readFileTool], toolChoice: { name: "read_file" } });

    await ask(model, request);
    await ask(model, request);

    const [first, second] = rig.requests;
    expect(second?.body).toEqual(first?.body);
    expect(first?.body).toMatchObject({
      model: "m-1",
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 16_000,
      tool_choice: { type: "function", function: { name: "read_file" } },
      messages: [
        { role: "system", content: "You are it." },
        { role: "user", content: "Go." },
        {
          role: "assistant",
          content: null,
          reasoning_content: "Hm.",
          // Arguments that are no JSON are wrapped: servers parse the history.
          tool_calls: [{ id: "c1", function: { arguments: '{"invalid_arguments":"{\\"path\\": \\"a\\""}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "not JSON" },
      ],
    });
  });

  it("keeps reasoning in the fields in which it came", async () => {
    const { url } = await serve(() => ({
      content: "4",
      reasoning: { reasoning: "2 and 2", reasoning_content: "hm" },
    }));

    const { reply } = await ask(modelAt(url));

    expect(reply.reasoning).toEqual({ reasoning: "2 and 2", reasoning_content: "hm" });
  });

  it("sends the key to the server, and nothing that it was not told to send", async () => {
    const rig = await serve(() => says("ok"));

    await ask(modelAt(rig.url));

    const headers = Object.keys(rig.requests[0]?.headers ?? {});
    expect(rig.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(headers.filter((name) => name.startsWith("x-") || name.startsWith("openai"))).toEqual([]);
  });

  it("asks a server without a key with no authorization at all", async () => {
    server = await modelServer({ script: () => says("ok") });

    await ask(modelAt(server.url, { apiKey: null, provider: { apiKeyEnv: null } }));

    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});
