import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryJournal } from "../../../src/agents/memory-journal.ts";
import {
  createReactAdapter,
  type LoopEvent,
  type ReactAdapterConfig,
  type ToolCallContext,
} from "../../../src/agents/react-adapter.ts";
import { AppError } from "../../../src/base/errors.ts";
import { calls, resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadContext, toolDefinition } from "../../fixtures/thread-context.ts";

const schema = z.object({ status: z.string() });
const tools = [
  toolDefinition("read_file", { path: z.string() }),
  toolDefinition("write_file", { path: z.string() }),
];

const setUp = (steps: Parameters<typeof scriptedModel>[0], given: Partial<ReactAdapterConfig> = {}) => {
  const model = scriptedModel(steps);
  const adapter = createReactAdapter({
    provider: model,
    tools,
    toolHandler: async (name, args) => `${name} ${args}`,
    maxRounds: 20,
    ...given,
  });
  return { model, play: adapter("You are the coder.", schema) };
};

describe("the loop", () => {
  it("asks, runs the calls, tells their results, and ends with resolve", async () => {
    const { model, play } = setUp([calls("read_file", { path: "a.ts" }), resolves({ status: "done" })]);
    const context = threadContext();

    const output = await play(context);

    expect(output).toEqual({ status: "done" });
    expect(model.asked[0]?.map((message) => message.role)).toEqual(["system", "user"]);
    expect(model.asked[0]?.[1]).toEqual({ role: "user", content: "Fix the bug." });
    expect(model.asked[1]?.slice(2)).toEqual([
      {
        role: "assistant",
        content: "",
        reasoning: null,
        toolCalls: [{ id: "call_1_1", name: "read_file", arguments: '{"path":"a.ts"}' }],
      },
      { role: "tool", callId: "call_1_1", content: 'read_file {"path":"a.ts"}' },
    ]);
    expect(context.journal.turns.map((turn) => turn.kind)).toEqual(["message", "reply", "tool", "reply"]);
  });

  it("puts the role's prompt first and then says how to finish, to suspend, and what is data", async () => {
    const { model, play } = setUp([resolves({ status: "done" })]);
    await play(threadContext());
    const system = model.asked[0]?.[0]?.content ?? "";
    expect(system.startsWith("You are the coder.\n\n")).toBe(true);
    for (const words of ["`resolve`, alone", '"$SUSPEND"', "nobody answers questions", "is data"]) {
      expect(system).toContain(words);
    }
  });

  it("sends the same tools in every request, resolve last", async () => {
    const { model, play } = setUp([
      says("hm"),
      calls("read_file", { path: "a" }),
      resolves({ status: "done" }),
    ]);
    await play(threadContext());
    const names = model.requests.map((request) => request.tools.map((tool) => tool.function.name));
    expect(names).toEqual(Array(3).fill(["read_file", "write_file", "resolve"]));
  });

  it("only ever adds to the messages", async () => {
    const { model, play } = setUp([
      calls("read_file", { path: "a" }),
      says("let me think"),
      calls("nope", {}),
      resolves({ wrong: true }),
      resolves({ status: "done" }),
    ]);
    await play(threadContext());
    model.asked.slice(1).forEach((messages, index) => {
      const before = model.asked[index] ?? [];
      expect(JSON.stringify(messages.slice(0, before.length))).toBe(JSON.stringify(before));
    });
  });

  it("answers the suspension whatever the schema says", async () => {
    const suspension = { $status: "$SUSPEND", reason: "The test is wrong." };
    const { play } = setUp([resolves(suspension)]);
    expect(await play(threadContext())).toEqual(suspension);
  });

  it("reports what happens", async () => {
    const events: LoopEvent[] = [];
    const { play } = setUp(
      [{ ...calls("read_file", { path: "a" }), content: "Reading." }, resolves({ status: "done" })],
      {
        observe: (event) => events.push(event),
        toolHandler: async (_name, _args, call: ToolCallContext) => {
          call.onOutput("half");
          return { ok: false, text: "no such file" };
        },
      },
    );
    await play(threadContext());
    expect(events).toMatchObject([
      { kind: "model-text", piece: "Reading." },
      { kind: "model-called", model: { alias: "default" }, result: { finish: "tool-calls" } },
      { kind: "model-replied", content: "Reading.", calls: [{ name: "read_file" }] },
      { kind: "tool-started", callId: "call_1_1", name: "read_file", arguments: '{"path":"a"}' },
      { kind: "tool-output", callId: "call_1_1", piece: "half" },
      { kind: "tool-finished", callId: "call_1_1", ok: false, text: "no such file" },
      { kind: "model-called", result: { usage: { outputTokens: 10 } } },
      { kind: "model-replied", calls: [{ name: "resolve" }] },
    ]);
  });

  it("stores what a tool showed, and text that cannot be stored made storable", async () => {
    const { play } = setUp([calls("read_file", { path: "a" }), resolves({ status: "done" })], {
      toolHandler: async () => ({ ok: true, text: "broken \ud800", seen: { a: "hash" } }),
    });
    const context = threadContext();
    await play(context);
    expect(context.journal.turns[2]).toMatchObject({ ok: true, text: "broken \ufffd", seen: { a: "hash" } });
  });

  it("passes the model's errors on as they are", async () => {
    const error = new AppError("down", { code: "model-unavailable", remedy: "retry" });
    const { play } = setUp([calls("read_file", { path: "a" }), error]);
    const context = threadContext();
    await expect(play(context)).rejects.toBe(error);
    expect(context.journal.turns).toHaveLength(3);
  });

  it("stops before the next model call when the caller says so", async () => {
    const pause = new Error("paused");
    let turns = 0;
    const { model, play } = setUp([calls("read_file", { path: "a" }), resolves({ status: "done" })], {
      checkpoint: () => {
        if (turns++ === 1) throw pause;
      },
    });
    const context = threadContext();
    await expect(play(context)).rejects.toBe(pause);
    expect(model.asked).toHaveLength(1);
    expect(context.journal.turns.map((turn) => turn.kind)).toEqual(["message", "reply", "tool"]);
  });

  it("refuses a tool of the name resolve", () => {
    expect(() => setUp([], { tools: [toolDefinition("Resolve")] })).toThrow(/may not be called "resolve"/);
  });
});

describe("cancellation", () => {
  it("escapes before anything is asked", async () => {
    const { model, play } = setUp([resolves({ status: "done" })]);
    const signal = AbortSignal.abort(new Error("cancelled"));
    await expect(play(threadContext({ signal }))).rejects.toThrow("cancelled");
    expect(model.asked).toHaveLength(0);
  });

  it("escapes from a tool, with the results stored that were there", async () => {
    const controller = new AbortController();
    const journal = memoryJournal();
    const { play } = setUp([calls("read_file", { path: "a" }, calls("read_file", { path: "slow" }))], {
      effect: () => "read",
      toolHandler: async (_name, args, { signal }) => {
        if (!args.includes("slow")) return "quick";
        controller.abort(new Error("cancelled"));
        signal.throwIfAborted();
        return "never";
      },
    });
    await expect(play(threadContext({ signal: controller.signal, journal }))).rejects.toThrow("cancelled");
    expect(journal.turns.filter((turn) => turn.kind === "tool")).toMatchObject([{ text: "quick" }]);
    expect([...journal.begun]).toEqual(["call_1_2"]);
  });

  it("escapes from a waiting model", async () => {
    const controller = new AbortController();
    const { play } = setUp([
      () => {
        controller.abort(new Error("cancelled"));
        return new Promise<never>(() => undefined);
      },
    ]);
    await expect(play(threadContext({ signal: controller.signal }))).rejects.toThrow("cancelled");
  });

  it("runs no further writer", async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const { play } = setUp([calls("write_file", { path: "a" }, calls("write_file", { path: "b" }))], {
      toolHandler: async (_name, args) => {
        ran.push(args);
        controller.abort(new Error("cancelled"));
        return "written";
      },
    });
    const context = threadContext({ signal: controller.signal });
    await expect(play(context)).rejects.toThrow("cancelled");
    expect(ran).toEqual(['{"path":"a"}']);
    expect(context.journal.turns.at(-1)).toMatchObject({ kind: "tool", text: "written" });
  });
});
