import { describe, expect, it } from "vitest";
import { readChat } from "../../../../src/llm/openai/chat-stream.ts";

type Delta = Record<string, unknown>;

/** The deltas one by one, then the end. */
async function* streamOf(deltas: readonly Delta[], finish: string | null = "stop") {
  for (const delta of deltas) yield { choices: [{ delta, finish_reason: null }] };
  yield { choices: [{ delta: {}, finish_reason: finish }] };
}
const read = (deltas: readonly Delta[], finish: string | null = "stop") =>
  readChat(streamOf(deltas, finish), {});
const call = (fields: object, fn: object): Delta => ({ tool_calls: [{ ...fields, function: fn }] });

describe("tool calls of servers that differ", () => {
  it("keeps calls apart that all have index 0 and ids of their own", async () => {
    const { toolCalls } = await read([
      call({ index: 0, id: "a" }, { name: "one", arguments: "{}" }),
      call({ index: 0, id: "b" }, { name: "two", arguments: "{}" }),
    ]);

    expect(toolCalls).toEqual([
      { id: "a", name: "one", arguments: "{}" },
      { id: "b", name: "two", arguments: "{}" },
    ]);
  });

  it("puts interleaved pieces where they belong", async () => {
    const { toolCalls } = await read([
      call({ index: 0, id: "a" }, { name: "one", arguments: '{"x"' }),
      call({ index: 1, id: "b" }, { name: "two", arguments: "{" }),
      call({ index: 0 }, { arguments: ":1}" }),
      call({ index: 1 }, { arguments: "}" }),
    ]);

    expect(toolCalls.map((found) => found.arguments)).toEqual(['{"x":1}', "{}"]);
  });

  it("does not double names and ids that are repeated in every piece", async () => {
    const { toolCalls } = await read([
      call({ index: 0, id: "a" }, { name: "one", arguments: "{" }),
      call({ index: 0, id: "a" }, { name: "one", arguments: "}" }),
    ]);

    expect(toolCalls).toEqual([{ id: "a", name: "one", arguments: "{}" }]);
  });

  it("gives ids to calls that have none, and new ones to doubles", async () => {
    const { toolCalls, finish } = await read([
      call({}, { name: "one", arguments: { x: 1 } }),
      call({}, { name: "two", arguments: "{}" }),
    ]);

    expect(toolCalls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["one", '{"x":1}'],
      ["two", "{}"],
    ]);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    expect(finish).toBe("tool-calls");
  });
});

describe("reasoning", () => {
  it("joins details that go on, and keeps their signature", async () => {
    const { reasoning } = await read([
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "Let " }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "me see." }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, signature: "sig" }] },
      { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "xx" }] },
    ]);

    expect(reasoning).toEqual({
      reasoning_details: [
        { type: "reasoning.text", index: 0, text: "Let me see.", signature: "sig" },
        { type: "reasoning.encrypted", index: 1, data: "xx" },
      ],
    });
  });
});

describe("the end", () => {
  it.each([[null], ["error"], ["network_error"]])(
    "is missing or bad with the finish reason %s",
    async (finish) => {
      await expect(read([{ content: "half" }], finish)).rejects.toMatchObject({
        code: "model-stream-broken",
      });
    },
  );

  it("keeps length even when calls are there: the last may be cut", async () => {
    const { finish } = await read([call({ index: 0, id: "a" }, { name: "one", arguments: "{" })], "length");

    expect(finish).toBe("length");
  });

  it("refuses what is not of the protocol", async () => {
    await expect(read([{ content: 5 }])).rejects.toMatchObject({ code: "model-stream-broken" });
  });
});
