import { describe, expect, it } from "vitest";
import type { ChatMessage, ModelRequest } from "../../../src/llm/model.ts";
import { calls, resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";

const options = () => ({ signal: new AbortController().signal });
const request = (...messages: ChatMessage[]): ModelRequest => ({ messages, tools: [], toolChoice: "auto" });
const user: ChatMessage = { role: "user", content: "Go." };

describe("scriptedModel", () => {
  it("answers in order, and keeps what it was asked as it stood then", async () => {
    const model = scriptedModel([calls("read_file", { path: "a" }), resolves({ status: "done" })]);
    const messages: ChatMessage[] = [user];

    const first = await model.ask(request(...messages), options());
    messages.push({ role: "assistant", content: "", toolCalls: first.toolCalls, reasoning: null });
    const second = await model.ask(request(...messages), options());

    expect(first).toMatchObject({ finish: "tool-calls", toolCalls: [{ id: "call_1_1", name: "read_file" }] });
    expect(second.toolCalls).toEqual([{ id: "call_2_1", name: "resolve", arguments: '{"status":"done"}' }]);
    expect(model.asked.map((asked) => asked.length)).toEqual([1, 2]);
    model.assertDone();
  });

  it("decides by the request, throws scripted errors, and says its text", async () => {
    const pieces: string[] = [];
    const model = scriptedModel([
      ({ messages }) => says(`You said ${messages[0]?.content}`),
      new Error("out of order"),
    ]);

    const reply = await model.ask(request(user), { ...options(), onText: (piece) => pieces.push(piece) });

    expect(reply).toMatchObject({ content: "You said Go.", finish: "stop" });
    expect(pieces).toEqual(["You said Go."]);
    await expect(model.ask(request(user), options())).rejects.toThrow("out of order");
  });

  it("fails on a request after its end, and on steps nobody asked for", async () => {
    await expect(scriptedModel([]).ask(request(user), options())).rejects.toThrow(/over.*user: Go\./);
    expect(() => scriptedModel([says("a")]).assertDone()).toThrow("only 0 were asked for");
  });

  it("can be stopped while a step waits", async () => {
    const abort = new AbortController();
    const model = scriptedModel([
      () => {
        abort.abort(new Error("stopped"));
        return new Promise(() => undefined);
      },
    ]);

    await expect(model.ask(request(user), { signal: abort.signal })).rejects.toThrow("stopped");
  });
});
