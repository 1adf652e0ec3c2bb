import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Journal, NewTurn } from "../../../src/agents/adapter.ts";
import { memoryJournal } from "../../../src/agents/memory-journal.ts";
import { createReactAdapter, type ReactAdapterConfig } from "../../../src/agents/react-adapter.ts";
import { calls, resolves, type ScriptedStep, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadContext, toolDefinition } from "../../fixtures/thread-context.ts";

const read = (path: string) => calls("read_file", { path });
const write = (path: string) => calls("write_file", { path });
const done = resolves({ status: "done" });

const run = async (
  steps: readonly ScriptedStep[],
  { journal = memoryJournal(), ...config }: Partial<ReactAdapterConfig> & { journal?: Journal } = {},
) => {
  const model = scriptedModel(steps);
  const ran: string[] = [];
  const play = createReactAdapter({
    provider: model,
    tools: [
      toolDefinition("read_file", { path: z.string() }),
      toolDefinition("write_file", { path: z.string() }),
    ],
    toolHandler: async (name, args) => {
      ran.push(`${name} ${args}`);
      return `${args} has ${name === "read_file" ? "text" : "changed"}`;
    },
    effect: (name) => (name === "read_file" ? "read" : "write"),
    maxRounds: 50,
    ...config,
  })("You are the coder.", z.object({ status: z.string() }));
  const outcome = await play(threadContext({ journal })).then(
    (output) => ({ output, error: undefined }),
    (error: unknown) => ({ output: undefined, error }),
  );
  const told = model.asked.map((messages) => {
    const last = messages.at(-1);
    return last?.role === "user" ? last.content : "";
  });
  return {
    ...outcome,
    model,
    ran,
    told,
    choices: model.requests.map((request) => request.toolChoice),
    journal,
  };
};

const spentAfter = (replies: number, why = "the budget of $1 is spent"): Journal => {
  const journal = memoryJournal();
  const count = (turns: readonly NewTurn[]) => turns.filter((turn) => turn.kind === "reply").length;
  return { ...journal, spent: () => (count(journal.turns) >= replies ? why : null) };
};

describe("the limit on turns", () => {
  it("is announced when four fifths are used, once", async () => {
    const steps = Array.from({ length: 9 }, (_, index) => read(String(index)));
    const { told } = await run([...steps, done], { maxRounds: 11 });
    expect(told.map((text) => /(\d+ of your \d+ turns)/.exec(text)?.[1] ?? "")).toEqual([
      ...Array(9).fill(""),
      "9 of your 11 turns",
    ]);
  });

  it("leaves a last turn that takes only resolve and asks for what is undone, with the tools unchanged", async () => {
    const { output, told, choices, model } = await run([read("a"), read("b"), done], { maxRounds: 3 });
    expect(output).toEqual({ status: "done" });
    expect(choices).toEqual(["auto", "auto", { name: "resolve" }]);
    expect(told[2]).toMatch(/^This is your last turn: the limit on turns.*undone/);
    expect(model.requests[2]?.tools).toEqual(model.requests[0]?.tools);
  });

  it("fails the role when the last turn is no valid resolve, and runs nothing in it", async () => {
    const { error, ran, journal } = await run([read("a"), calls("write_file", { path: "b" }, resolves({}))], {
      maxRounds: 2,
    });
    expect(error).toMatchObject({ code: "role-rounds-exceeded", remedy: "fix-input" });
    expect(ran).toHaveLength(1);
    expect(journal.turns.slice(-2)).toMatchObject([
      { kind: "tool", ok: false, text: expect.stringContaining("Not run") },
      { kind: "tool", ok: false, text: expect.stringContaining("Not run") },
    ]);
  });

  it("takes a valid resolve of the last turn also beside other calls", async () => {
    const { output, ran } = await run([read("a"), calls("write_file", { path: "b" }, done)], {
      maxRounds: 2,
    });
    expect(output).toEqual({ status: "done" });
    expect(ran).toHaveLength(1);
  });

  it("of one turn makes that the last", async () => {
    const { output, choices } = await run([done], { maxRounds: 1 });
    expect(output).toEqual({ status: "done" });
    expect(choices).toEqual([{ name: "resolve" }]);
  });

  it("counts text alone as a turn", async () => {
    const { error, model } = await run([says("a"), says("b")], { maxRounds: 2 });
    expect(error).toMatchObject({ code: "role-rounds-exceeded" });
    expect(model.asked).toHaveLength(2);
  });
});

describe("a spent budget", () => {
  it("leaves a last turn that takes only resolve and says why", async () => {
    const { output, choices, told } = await run([read("a"), done], { journal: spentAfter(1) });
    expect(output).toEqual({ status: "done" });
    expect(choices).toEqual(["auto", { name: "resolve" }]);
    expect(told[1]).toContain("the budget of $1 is spent");
  });

  it("fails the role when that is no valid resolve, with the reason", async () => {
    const { error } = await run([read("a"), says("I would rather go on.")], { journal: spentAfter(1) });
    expect(error).toMatchObject({
      code: "role-budget-exceeded",
      remedy: "fix-input",
      message: expect.stringContaining("the budget of $1 is spent"),
    });
  });

  it("lets the role go on when it was raised after the last turn failed", async () => {
    const first = await run([read("a"), says("no")], { journal: spentAfter(1) });
    const journal = memoryJournal(first.journal.turns);
    const { output, choices, told, ran } = await run([write("b"), done], { journal });
    expect(output).toEqual({ status: "done" });
    expect(told[0]).toContain("room to go on");
    expect(choices).toEqual(["auto", "auto"]);
    expect(ran).toEqual(['write_file {"path":"b"}']);
  });
});

describe("repeating the same", () => {
  it("is warned about at the third time", async () => {
    const { told } = await run([read("a"), read("a"), read("a"), done]);
    expect(told.slice(0, 3).slice(1)).toEqual(["", ""]);
    expect(told[3]).toContain('three times: read_file {"path":"a"}.');
  });

  it("ends in a last turn at the fifth time, and fails when that is not used", async () => {
    const { error, choices, told } = await run([...Array(5).fill(read("a")), read("a")]);
    expect(choices).toEqual([...Array(5).fill("auto"), { name: "resolve" }]);
    expect(told[5]).toMatch(/last turn: you have been repeating/);
    expect(error).toMatchObject({ code: "role-stuck", remedy: "fix-input" });
  });

  it("in turns ends after three cycles", async () => {
    const { output, choices } = await run([
      ...Array(3)
        .fill([read("a"), read("b")])
        .flat(),
      done,
    ]);
    expect(output).toEqual({ status: "done" });
    expect(choices.at(-1)).toEqual({ name: "resolve" });
  });

  it("is fine with a change in between", async () => {
    const { told } = await run([read("a"), read("a"), write("b"), read("a"), read("a"), done]);
    expect(told.every((text) => !text.includes("three times"))).toBe(true);
  });

  it("is seen although the times in the results differ", async () => {
    let ms = 10;
    const { told } = await run([read("a"), read("a"), read("a"), done], {
      toolHandler: async () => `failed in ${ms++} ms (exit code 1, ${ms / 10} s)`,
    });
    expect(told[3]).toContain("three times");
  });

  it("with other results is fine", async () => {
    let count = 0;
    const { told } = await run([...Array(5).fill(read("a")), done], {
      toolHandler: async () => `line ${count++}`,
    });
    expect(told.every((text) => !text.includes("three times"))).toBe(true);
  });
});
