import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Journal, NewTurn } from "../../../src/agents/adapter.ts";
import { memoryJournal } from "../../../src/agents/memory-journal.ts";
import { createReactAdapter } from "../../../src/agents/react-adapter.ts";
import type { ModelRequest } from "../../../src/llm/model.ts";
import { calls, resolves, type ScriptedReply, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadContext, toolDefinition } from "../../fixtures/thread-context.ts";

const read = (path: string, ...more: ScriptedReply[]) => calls("read_file", { path }, ...more);
const write = (path: string, ...more: ScriptedReply[]) => calls("write_file", { path }, ...more);
const script: ScriptedReply[] = [
  read("a", read("b", read("c"))),
  says("Let me think."),
  write("a", read("d", read("e", write("b", write("c"))))),
  calls("nope", {}, write("d")),
  calls("write_file", "garbage"),
  { ...read("f", calls("write_file", '{"path":"g","conte')), finish: "length" },
  write("h", resolves({ status: "early" })),
  resolves({ wrong: true }),
  read("a", read("a")),
  resolves({ status: "done" }),
];

/** Answers by how far the conversation is, as a server with a fixed script does, whoever asks. */
const byPosition = ({ messages }: ModelRequest): ScriptedReply =>
  script[messages.filter((message) => message.role === "assistant").length] ?? says("the script is over");

class Killed extends Error {}

/** A journal that dies at its nth write: `before` the write is done, or just after it. */
const mortal = (journal: Journal, at: number, when: "before" | "after"): Journal => {
  let writes = 0;
  const dying =
    <A extends unknown[]>(write: (...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      const dies = writes++ >= at;
      if (dies && (when === "before" || writes - 1 > at)) throw new Killed();
      await write(...args);
      if (dies) throw new Killed();
    };
  return { ...journal, append: dying(journal.append), begin: dying(journal.begin) };
};

const play = async (journal: Journal, log: string[]) => {
  const model = scriptedModel(Array(40).fill(byPosition));
  const output = await createReactAdapter({
    provider: model,
    tools: [
      toolDefinition("read_file", { path: z.string() }),
      toolDefinition("write_file", { path: z.string() }),
    ],
    toolHandler: async (name, args, { id }) => {
      log.push(id);
      return `${name} ${args}: fine`;
    },
    effect: (name) => (name === "read_file" ? "read" : "write"),
    maxRounds: 12,
    now: () => 0,
  })(
    "You are the coder.",
    z.object({ status: z.string() }),
  )(threadContext({ journal }));
  return { output, model };
};

const lines = <T extends object>(turns: readonly T[]): string[] => turns.map((turn) => JSON.stringify(turn));
const finished = (turns: readonly NewTurn[]): string[] =>
  turns.flatMap((turn) => (turn.kind === "tool" && turn.ok ? [turn.callId] : []));

const WRITES = 60;

describe("going on from a journal", () => {
  it("that is complete asks and runs nothing", async () => {
    const journal = memoryJournal();
    await play(journal, []);
    const log: string[] = [];
    const { output, model } = await play(memoryJournal(journal.turns), log);
    expect(output).toEqual({ status: "done" });
    expect(model.asked).toHaveLength(0);
    expect(log).toEqual([]);
  });

  it("cut between any two turns gives the same end, and runs no call twice that has a result", async () => {
    const whole = memoryJournal();
    await play(whole, []);
    for (let cut = 0; cut <= whole.turns.length; cut++) {
      const kept = whole.turns.slice(0, cut);
      const log: string[] = [];
      const journal = memoryJournal(kept);
      const { output } = await play(journal, log);
      expect(output).toEqual({ status: "done" });
      expect(log.filter((id) => finished(kept).includes(id))).toEqual([]);
      expect(lines(journal.turns).toSorted()).toEqual(lines(whole.turns).toSorted());
    }
  });

  it("of a worker that died at any moments gives the same end, and runs no call twice", async () => {
    const deaths = fc.array(
      fc.record({ at: fc.nat(WRITES), when: fc.constantFrom("before" as const, "after" as const) }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(deaths, async (moments) => {
        const log: string[] = [];
        let journal = memoryJournal();
        for (const { at, when } of moments) {
          await play(mortal(journal, at, when), log).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
          journal = memoryJournal(journal.turns, journal.begun);
        }
        const { output } = await play(journal, log);
        expect(output).toEqual({ status: "done" });
        expect(log).toEqual([...new Set(log)]);
        expect(journal.begun.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("tells the model which calls were cut off, and runs those that had not begun", async () => {
    const turns: NewTurn[] = [
      { kind: "message", text: "Fix the bug.", at: 0 },
      {
        ...{ kind: "reply", model: "m", content: "", reasoning: null, finish: "tool-calls", at: 0, ms: 0 },
        toolCalls: ["a", "b", "c"].map((id) => ({ id, name: "write_file", arguments: `{"path":"${id}"}` })),
        usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null },
      },
      { kind: "tool", callId: "a", name: "write_file", ok: true, text: "written", seen: {}, at: 0, ms: 0 },
    ];
    const journal = memoryJournal(turns, ["b"]);
    const log: string[] = [];
    const { model } = await play(journal, log);
    expect(log.slice(0, 1)).toEqual(["c"]);
    expect(model.asked[0]?.slice(-3)).toMatchObject([
      { callId: "a", content: "written" },
      {
        callId: "b",
        content: expect.stringMatching(/was cut off when the worker stopped; it may or may not/),
      },
      { callId: "c", content: 'write_file {"path":"c"}: fine' },
    ]);
    expect(journal.turns).toContainEqual(expect.objectContaining({ callId: "b", ok: false }));
  });

  it("sends the same messages for the same journal, byte for byte", async () => {
    const whole = memoryJournal();
    const first = await play(whole, []);
    const cut = whole.turns.findLastIndex((turn) => turn.kind === "reply");
    const again = await play(memoryJournal(whole.turns.slice(0, cut)), []);
    expect(JSON.stringify(again.model.asked.at(-1))).toBe(JSON.stringify(first.model.asked.at(-1)));
  });
});
