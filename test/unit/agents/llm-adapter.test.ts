import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createLlmAdapter } from "../../../src/agents/llm-adapter.ts";
import { memoryJournal } from "../../../src/agents/memory-journal.ts";
import { resolves, type ScriptedReply, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadContext } from "../../fixtures/thread-context.ts";

const schema = z.object({ title: z.string() });
const answer = async (reply: ScriptedReply) => {
  const model = scriptedModel([reply]);
  const context = threadContext({ task: "Name it." });
  const output = await createLlmAdapter(model)("You name things.", schema)(context);
  return { output, model, context };
};

describe("an agent of one reply", () => {
  it("makes the model answer with the output", async () => {
    const { output, model, context } = await answer(resolves({ title: "Fix it" }));
    expect(output).toEqual({ title: "Fix it" });
    expect(model.requests).toMatchObject([
      {
        messages: [
          { role: "system", content: expect.stringMatching(/^You name things\.\n\n/) },
          { role: "user", content: "Name it." },
        ],
        tools: [{ function: { name: "resolve" } }],
        toolChoice: { name: "resolve" },
      },
    ]);
    expect(context.journal.turns.map((turn) => turn.kind)).toEqual(["message", "reply"]);
  });

  it("takes JSON as plain text, also fenced", async () => {
    expect((await answer(says('{"title":"a"}'))).output).toEqual({ title: "a" });
    expect((await answer(says('```json\n{"title":"b"}\n```'))).output).toEqual({ title: "b" });
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ["prose", says("I would call it Fix it."), /"coder" did not answer.*not valid JSON/],
    ["nothing", says(" "), /the reply was empty/],
    ["a cut reply", { content: '{"title":"a', finish: "length" }, /reached the output limit/],
    ["missing fields", resolves({}), /title: missing/],
  ])("fails on %s", async (_, reply, message) => {
    await expect(answer(reply)).rejects.toMatchObject({
      code: "role-output-invalid",
      hint: expect.not.stringContaining("schema"),
      message: expect.stringMatching(message),
    });
  });

  it("coerces primitives", async () => {
    expect((await answer(resolves({ title: 5 }))).output).toEqual({ title: "5" });
  });

  it("uses the reply that was stored before a crash", async () => {
    const { context } = await answer(resolves({ title: "a" }));
    const model = scriptedModel([]);
    const journal = memoryJournal(context.journal.turns);
    const output = await createLlmAdapter(model)("You name things.", schema)(threadContext({ journal }));
    expect(output).toEqual({ title: "a" });
  });
});
