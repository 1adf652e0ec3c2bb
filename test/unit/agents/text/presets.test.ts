import { describe, expect, it } from "vitest";
import { presetNamed } from "../../../../src/agents/text/presets/presets.ts";
import { presets } from "../../../../src/store/agent-payload.ts";

const read = (name: Parameters<typeof presetNamed>[0], output: string, errors = "") =>
  presetNamed(name).read({ output, errors });
const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join("\n");

describe("presets", () => {
  it.each([...presets, null])(
    "put configured arguments before the prompt of %s, and give each prompt once",
    (name) => {
      const preset = presetNamed(name);
      const calls = [
        preset.run("The prompt", ["--model", "m"]),
        preset.continue?.("the-session", "The prompt", ["--model", "m"]),
      ];

      for (const call of calls.filter((one) => one !== undefined)) {
        expect([...call.args, call.stdin].filter((part) => part === "The prompt")).toHaveLength(1);
        expect(call.args.join(" ")).toContain("--model m");
      }
      if (preset.continue) expect(calls[1]?.args.join(" ")).toContain("the-session");
    },
  );

  it("read claude's JSON, after warnings too", () => {
    const result = {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Done.",
      session_id: "s",
      total_cost_usd: 0.25,
      usage: {
        input_tokens: 1,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 300,
        output_tokens: 4,
      },
      modelUsage: { "claude-x": {} },
    };

    expect(read("claude", `{ not json\nWarning: old\n${JSON.stringify(result)}\n`)).toEqual({
      output: "Done.",
      sessionId: "s",
      model: "claude-x",
      usage: { inputTokens: 321, cachedInputTokens: 20, outputTokens: 4, costUsd: 0.25 },
    });
    expect(read("claude", JSON.stringify({ ...result, is_error: true, result: "Invalid API key" }))).toEqual({
      problem: "Invalid API key",
    });
  });

  it("read codex' events: the last message, or why there is none", () => {
    const started = { type: "thread.started", thread_id: "t" };
    const message = (text: string) => ({ type: "item.completed", item: { type: "agent_message", text } });
    const other = { type: "item.completed", item: { type: "command_execution", aggregated_output: "{}" } };
    const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 };

    expect(
      read(
        "codex",
        lines(started, message("Looking."), other, message("Done."), { type: "turn.completed", usage }),
      ),
    ).toEqual({
      output: "Done.",
      sessionId: "t",
      model: null,
      usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2, costUsd: null },
    });
    expect(read("codex", lines(started, { type: "turn.failed", error: { message: "no credit" } }))).toEqual({
      problem: "no credit",
    });
    expect(read("codex", lines(started))).toEqual({ problem: "it ended without a message" });
  });

  it("read gemini's JSON, and its errors from the other stream", () => {
    const tokens = { prompt: 10, cached: 2, candidates: 3, thoughts: 4 };
    const result = {
      session_id: "s",
      response: "Done.",
      stats: { models: { a: { tokens }, b: { tokens } } },
    };

    expect(read("gemini", JSON.stringify(result, null, 2))).toEqual({
      output: "Done.",
      sessionId: "s",
      model: "a",
      usage: { inputTokens: 20, cachedInputTokens: 4, outputTokens: 14, costUsd: null },
    });
    expect(
      read(
        "gemini",
        "",
        `YOLO mode is enabled.\n${JSON.stringify({ session_id: "s", error: { message: "no key" } }, null, 2)}`,
      ),
    ).toEqual({ problem: "no key" });
  });

  it("read opencode's events: the texts of the last message, and the sum of its steps", () => {
    const text = (messageID: string, said: string) => ({
      type: "text",
      sessionID: "s",
      part: { messageID, text: said },
    });
    const step = {
      type: "step_finish",
      sessionID: "s",
      part: { cost: 0.5, tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } } },
    };

    expect(
      read("opencode", lines(text("m1", "Looking."), step, text("m2", "Done,"), text("m2", "all."), step)),
    ).toEqual({
      output: "Done,\nall.",
      sessionId: "s",
      model: null,
      usage: { inputTokens: 20, cachedInputTokens: 8, outputTokens: 10, costUsd: 1 },
    });
    expect(
      read(
        "opencode",
        lines({ type: "error", sessionID: "s", error: { name: "APIError", data: { message: "no key" } } }),
      ),
    ).toEqual({ problem: "no key" });
  });

  it("read hermes' text with the session after it, and leave a session in the text alone", () => {
    expect(read("hermes", "It prints\nsession_id: old\nthen more.\n\nsession_id: new\n")).toMatchObject({
      output: "It prints\nsession_id: old\nthen more.",
      sessionId: "new",
    });
    expect(read("hermes", "session_id: old\nis printed.\n", "warning\n\nsession_id: new\n")).toMatchObject({
      output: "session_id: old\nis printed.",
      sessionId: "new",
    });
    expect(read("hermes", "\nsession_id: new\n")).toEqual({ problem: "it ended without an answer" });
  });

  it.each(["claude", "gemini", "cursor-agent", "codex", "opencode"] as const)(
    "say that %s answered something else",
    (name) => {
      expect(read(name, "Segmentation fault")).toHaveProperty("problem");
      expect(read(name, '{"type":"result"}\n[1]\nnull')).toHaveProperty("problem");
    },
  );

  it.each(["claude", "gemini"] as const)(
    "find %s' JSON behind any number of lines that begin some",
    (name) => {
      const began = performance.now();
      const flood = '{"a":[\n'.repeat(50_000);
      const said =
        name === "claude"
          ? lines({ type: "result", is_error: false, result: "Done." })
          : JSON.stringify({ response: "Done." }, null, 2);

      expect(read(name, flood + said)).toMatchObject({ output: "Done." });
      expect(read(name, flood)).toHaveProperty("problem");
      expect(performance.now() - began).toBeLessThan(5_000);
    },
  );

  it("take everything that an unknown program writes", () => {
    expect(read(null, "Done.\n")).toEqual({ output: "Done.\n", sessionId: null, usage: null, model: null });
  });
});
