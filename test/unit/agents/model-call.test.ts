import { describe, expect, it } from "vitest";
import { type ModelCall, observedModel } from "../../../src/agents/model-call.ts";
import { AppError } from "../../../src/base/errors.ts";
import type { ModelRequest } from "../../../src/llm/model.ts";
import { type ScriptedStep, says, scriptedModel } from "../../../src/llm/scripted-model.ts";

const request: ModelRequest = { messages: [], tools: [], toolChoice: "auto" };

const setUp = (step: ScriptedStep) => {
  const seen: ModelCall[] = [];
  let time = 1_000;
  const model = observedModel(scriptedModel([step], { alias: "fast", name: "small-1" }), {
    observe: (call) => void seen.push(call),
    elapsed: () => (time += 40),
  });
  return { model, seen };
};

describe("observedModel", () => {
  it("reports what a call used and how it ended", async () => {
    const { model, seen } = setUp({
      ...says("Yes."),
      finish: "length",
      usage: { inputTokens: 9, cachedInputTokens: 4, outputTokens: 2, costUsd: null },
    });

    const reply = await model.ask(request, { signal: new AbortController().signal });

    expect(reply.content).toBe("Yes.");
    expect(seen).toEqual([
      {
        kind: "model-called",
        model: { alias: "fast", name: "small-1", provider: "scripted" },
        result: { answeredBy: "small-1", finish: "length", usage: reply.usage },
        ms: 40,
      },
    ]);
  });

  it.each([
    ["its code", new AppError("busy", { code: "model-unavailable", remedy: "retry" }), "model-unavailable"],
    ["that it was unexpected", new TypeError("secret words"), "unexpected"],
  ])("reports of a failure %s, and lets it through", async (_, failure, error) => {
    const { model, seen } = setUp(failure);

    const asking = model.ask(request, { signal: new AbortController().signal });

    await expect(asking).rejects.toBe(failure);
    expect(seen).toMatchObject([{ result: { error } }]);
  });

  it("reports a cancelled call as cancelled", async () => {
    const controller = new AbortController();
    const { model, seen } = setUp(() => new Promise(() => controller.abort(new Error("stop"))));

    await expect(model.ask(request, { signal: controller.signal })).rejects.toThrow("stop");

    expect(seen).toMatchObject([{ result: { error: "cancelled" } }]);
  });
});
