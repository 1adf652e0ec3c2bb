import { describe, expect, it } from "vitest";
import type { NewTurn } from "../../../src/agents/adapter.ts";
import { callLabel, messagesOf } from "../../../src/agents/messages.ts";

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null };
const told = (text: string): NewTurn => ({ kind: "message", text, at: 0 });
const reply = (content: string, ...ids: string[]): NewTurn => ({
  ...{ kind: "reply", model: "m", content, reasoning: { id: "r" }, finish: "stop", usage, at: 0, ms: 0 },
  toolCalls: ids.map((id) => ({ id, name: "read_file", arguments: `{"path":"${id}"}` })),
});
const result = (callId: string): NewTurn => ({
  ...{ kind: "tool", name: "read_file", ok: true, seen: {}, at: 0, ms: 0 },
  callId,
  text: `text of ${callId}`,
});
const compaction = (summary: string, kept: number, masked: string[] = []): NewTurn => ({
  ...{ kind: "compaction", summary, kept, masked, usage: null, at: 0 },
});
const contents = (turns: readonly NewTurn[]) => messagesOf("system", turns).map((message) => message.content);

describe("messagesOf", () => {
  it("makes one message of each turn, reasoning handed back", () => {
    expect(messagesOf("system", [told("task"), reply("hm", "a"), result("a"), told("note")])).toEqual([
      { role: "system", content: "system" },
      { role: "user", content: "task" },
      {
        role: "assistant",
        content: "hm",
        toolCalls: [{ id: "a", name: "read_file", arguments: '{"path":"a"}' }],
        reasoning: { id: "r" },
      },
      { role: "tool", callId: "a", content: "text of a" },
      { role: "user", content: "note" },
    ]);
  });

  it("puts results in the order of the calls", () => {
    const turns = [told("task"), reply("", "a", "b"), result("b"), result("a")];
    expect(contents(turns).slice(-2)).toEqual(["text of a", "text of b"]);
  });

  it("shows task, summary and kept turns after a compaction, and what came since", () => {
    const before = [told("task"), reply("one", "a"), result("a"), reply("two", "b"), result("b")];
    expect(contents([...before, compaction("short", 2), reply("three")])).toEqual([
      "system",
      "task",
      expect.stringContaining("short"),
      "two",
      "text of b",
      "three",
    ]);
  });

  it("goes by the newest summary, and counts earlier compactions among the kept turns", () => {
    const first = [
      told("task"),
      reply("one"),
      compaction("first", 0),
      reply("two"),
      compaction("", 4, ["x"]),
    ];
    expect(contents([...first, reply("three"), compaction("second", 3)])).toEqual([
      "system",
      "task",
      expect.stringMatching(/second/),
      "two",
      "three",
    ]);
  });

  it("names the call where a result is masked", () => {
    const turns = [told("task"), reply("", "a", "b"), result("a"), result("b"), compaction("", 4, ["a"])];
    expect(contents(turns).slice(-2)).toEqual([
      expect.stringMatching(/^\[The result of read_file \{"path":"a"\} was removed/),
      "text of b",
    ]);
  });
});

describe("callLabel", () => {
  it("is one short line", () => {
    const label = callLabel({ name: "write_file", arguments: `{"content":\n "${"x".repeat(500)}"}` });
    expect(label).toMatch(/^write_file \{"content": "x+…$/);
    expect(label.length).toBeLessThan(230);
  });
});
