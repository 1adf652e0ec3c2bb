import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createReactAdapter } from "../../../src/agents/react-adapter.ts";
import { calls, resolves, type ScriptedStep, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadContext, toolDefinition } from "../../fixtures/thread-context.ts";

const schema = z.object({ status: z.enum(["done", "failed"]) });

const run = async (steps: readonly ScriptedStep[]) => {
  const model = scriptedModel(steps);
  const ran: string[] = [];
  const context = threadContext();
  const play = createReactAdapter({
    provider: model,
    tools: [toolDefinition("read_file", { path: z.string() })],
    toolHandler: async (_name, args) => {
      ran.push(args);
      return "contents";
    },
    maxRounds: 20,
  })("You are the coder.", schema);
  const outcome = await play(context).then(
    (output) => ({ output, error: undefined }),
    (error: unknown) => ({ output: undefined, error }),
  );
  return { ...outcome, model, ran, last: model.asked.at(-1)?.at(-1), turns: context.journal.turns };
};

describe("resolve", () => {
  it("is refused beside other calls, which run", async () => {
    const both = calls("read_file", { path: "a" }, resolves({ status: "done" }));
    const { output, ran, model } = await run([both, resolves({ status: "done" })]);
    expect(output).toEqual({ status: "done" });
    expect(ran).toEqual(['{"path":"a"}']);
    expect(model.asked[1]?.slice(-2)).toMatchObject([
      { role: "tool", callId: "call_1_1", content: "contents" },
      { role: "tool", callId: "call_1_2", content: expect.stringContaining("must be the only call") },
    ]);
  });

  it("is refused twice in one reply", async () => {
    const twice = calls("resolve", { status: "done" }, resolves({ status: "failed" }));
    const { output, model } = await run([twice, resolves({ status: "done" })]);
    expect(output).toEqual({ status: "done" });
    expect(model.asked[1]).toHaveLength(5);
  });

  it("is understood in another case", async () => {
    const { output } = await run([calls("Resolve", { status: "done" })]);
    expect(output).toEqual({ status: "done" });
  });

  it("sends problems back as lines of path and problem, and says how many tries are left", async () => {
    const { output, model } = await run([
      resolves({ status: "finished" }),
      resolves({}),
      resolves({ status: "done" }),
    ]);
    expect(output).toEqual({ status: "done" });
    expect(model.asked[1]?.at(-1)?.content).toMatch(
      /\nstatus: must be one of "done", "failed"\n.*2 tries left/,
    );
    expect(model.asked[2]?.at(-1)?.content).toMatch(/\nstatus: missing.*\n.*1 try left/);
  });

  it("fails after three invalid outputs, with the record of all three", async () => {
    const { error, turns } = await run([
      resolves({ status: 1 }),
      calls("read_file", { path: "a" }),
      calls("resolve", '{"output": {"stat'),
      resolves({ status: "no" }),
    ]);
    expect(error).toMatchObject({
      code: "role-output-invalid",
      hint: expect.not.stringContaining("schema"),
      remedy: "fix-input",
      message: expect.stringMatching(/"coder".*3 tries: status: must be/),
    });
    expect(turns.filter((turn) => turn.kind === "tool" && !turn.ok)).toHaveLength(3);
  });
});

describe("a reply without a call", () => {
  it("is answered with a reminder", async () => {
    const { output, model } = await run([says("All done!"), resolves({ status: "done" })]);
    expect(output).toEqual({ status: "done" });
    expect(model.asked[1]?.slice(-2)).toEqual([
      { role: "assistant", content: "All done!", toolCalls: [], reasoning: null },
      { role: "user", content: expect.stringMatching(/called no tool.*`resolve` alone/) },
    ]);
  });

  it("fails the role three times in a row", async () => {
    const { error, model } = await run([says("a"), says("b"), says("c")]);
    expect(error).toMatchObject({ code: "role-no-call", remedy: "fix-input" });
    expect(model.asked).toHaveLength(3);
  });

  it("may happen again after a call", async () => {
    const read = calls("read_file", { path: "a" });
    const { output } = await run([
      says("a"),
      says("b"),
      read,
      says("c"),
      says("d"),
      resolves({ status: "done" }),
    ]);
    expect(output).toEqual({ status: "done" });
  });

  it("is nudged when it is empty, and shown to the provider as something", async () => {
    const { model } = await run([says(" "), resolves({ status: "done" })]);
    expect(model.asked[1]?.slice(-2)).toMatchObject([
      { role: "assistant", content: "(empty reply)" },
      { role: "user", content: expect.stringContaining("was empty") },
    ]);
  });

  it("is told apart when it hit the output limit or the filter", async () => {
    const { model } = await run([
      { content: "Well, …", finish: "length" },
      { content: "", finish: "filtered" },
      resolves({ status: "done" }),
    ]);
    expect(model.asked[1]?.at(-1)?.content).toContain("output limit");
    expect(model.asked[2]?.at(-1)?.content).toContain("content filter");
  });

  it("says that the filter took something also when calls are left", async () => {
    const { model } = await run([
      { ...calls("read_file", { path: "a" }), finish: "filtered" },
      resolves({ status: "done" }),
    ]);
    expect(model.asked[1]?.slice(-2)).toMatchObject([
      { role: "tool" },
      { role: "user", content: expect.stringContaining("content filter") },
    ]);
  });
});
