import { describe, expect, it } from "vitest";
import { calls, resolves } from "../../../src/llm/scripted-model.ts";
import { type ModelServerRequest, roleScript, type ScriptMessage } from "../../rigs/model-script.ts";

const message = (
  role: ScriptMessage["role"],
  content: string,
  more: Partial<ScriptMessage> = {},
): ScriptMessage => ({
  role,
  content,
  toolCalls: [],
  callId: null,
  ...more,
});
const request = (...messages: ScriptMessage[]): ModelServerRequest => ({
  api: "chat",
  model: "m",
  messages: [message("system", "You are the **developer** of a thread.\n…"), ...messages],
  tools: [],
  stream: true,
  headers: {},
  body: {},
});
const asks = (...ids: string[]) =>
  message("assistant", "", {
    toolCalls: ids.map((id) => ({ id, name: "shell_exec", arguments: `"${id}"` })),
  });

describe("roleScript", () => {
  const script = roleScript({ developer: [calls("read_file", {}), resolves({ ok: true })] });

  it("takes the step that follows the assistant's messages", async () => {
    const answer = await script(request(asks("a"), message("tool", "fine", { callId: "a" })));

    expect(answer).toEqual(resolves({ ok: true }));
  });

  it("repeats the calls that were cut off, and only then goes on", async () => {
    const cut = [
      asks("a", "b"),
      message("tool", "fine", { callId: "a" }),
      message("tool", "This call was cut off when the worker stopped.", { callId: "b" }),
    ];

    const repeated = await script(request(...cut));
    const next = await script(request(...cut, asks("c"), message("tool", "fine", { callId: "c" })));

    expect(repeated).toEqual({ toolCalls: [{ name: "shell_exec", arguments: '"b"' }] });
    expect(next).toEqual(resolves({ ok: true }));
  });

  it("refuses for good when the script is over, or has no such role", async () => {
    const over = await script(request(asks("a"), asks("b")));
    const nobody = await roleScript({})(request());

    expect(over).toMatchObject({ fault: "status", status: 400 });
    expect(nobody).toMatchObject({ fault: "status", status: 400 });
  });
});
