import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createReactAdapter, type ReactAdapterConfig } from "../../../src/agents/react-adapter.ts";
import { calls, resolves, type ScriptedReply, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadContext, toolDefinition } from "../../fixtures/thread-context.ts";

const tools = [
  toolDefinition("read_file", { path: z.string(), limit: z.int().optional() }),
  toolDefinition("write_file", { path: z.string(), content: z.string() }),
  toolDefinition("list_files", { path: z.string().optional() }),
];

/** Plays one reply with calls and answers what was run and what the model was told. */
const answersTo = async (reply: ScriptedReply, given: Partial<ReactAdapterConfig> = {}) => {
  const model = scriptedModel([reply, resolves({ status: "done" })]);
  const ran: [string, unknown][] = [];
  const context = threadContext();
  await createReactAdapter({
    provider: model,
    tools,
    toolHandler: async (name, args) => {
      ran.push([name, JSON.parse(args)]);
      return "fine";
    },
    maxRounds: 20,
    ...given,
  })(
    "You are the coder.",
    z.object({ status: z.string() }),
  )(context);
  return { ran, told: model.asked[1]?.slice(2) ?? [], turns: context.journal.turns };
};

describe("calls", () => {
  it("run in the wrong case, under their right name", async () => {
    const { ran, turns } = await answersTo(calls("Read_File", { path: "a" }));
    expect(ran).toEqual([["read_file", { path: "a" }]]);
    expect(turns[2]).toMatchObject({ kind: "tool", name: "read_file", ok: true });
  });

  it("of unknown tools are answered with the three nearest", async () => {
    const { ran, told } = await answersTo(calls("readfile", { path: "a" }));
    expect(ran).toEqual([]);
    expect(told.at(-1)?.content).toBe(
      'There is no tool "readfile". The nearest are: read_file, write_file, list_files.',
    );
  });

  it("with names that no provider takes are answered, and the names made fit", async () => {
    const { told } = await answersTo(calls("functions.read file!", {}, calls(" ", {})));
    expect(told).toMatchObject([
      { toolCalls: [{ name: "functions_read_file_" }, { name: "_" }] },
      { content: expect.stringContaining('no tool "functions.read file!"') },
      { content: expect.stringContaining("no tool") },
    ]);
  });

  it("with garbage are answered, and the garbage is wrapped for the provider", async () => {
    const { ran, told, turns } = await answersTo(calls("read_file", "path=a.ts"));
    expect(ran).toEqual([]);
    expect(told).toMatchObject([
      { role: "assistant", toolCalls: [{ arguments: '{"invalid":"path=a.ts"}' }] },
      { role: "tool", content: expect.stringMatching(/^read_file was not run: .*not valid JSON/) },
    ]);
    expect(turns[1]).toMatchObject({ toolCalls: [{ arguments: "path=a.ts" }] });
  });

  it("are repaired and coerced by the tool's schema", async () => {
    const { ran, told } = await answersTo(calls("read_file", '```json\n{"path":"a\tb","limit":"20"}\n```'));
    expect(ran).toEqual([["read_file", { path: "a\tb", limit: 20 }]]);
    expect(told[0]).toMatchObject({ toolCalls: [{ arguments: '{"path":"a\\tb","limit":"20"}' }] });
  });

  it("whose tool throws are answered with what it threw", async () => {
    const { told, turns } = await answersTo(calls("read_file", { path: "a" }), {
      toolHandler: () => Promise.reject(new Error("disk on fire")),
    });
    expect(told.at(-1)?.content).toBe("read_file failed: disk on fire");
    expect(turns[2]).toMatchObject({ ok: false });
  });

  it("cut off by the output limit are dropped, and smaller ones asked for", async () => {
    const cut = calls("read_file", { path: "a" }, calls("write_file", '{"path":"b","content":"xyz'));
    const { ran, told } = await answersTo({ ...cut, finish: "length" });
    expect(ran).toEqual([["read_file", { path: "a" }]]);
    expect(told).toMatchObject([
      { role: "assistant", toolCalls: [{ name: "read_file" }] },
      { role: "tool", callId: "call_1_1" },
      { role: "user", content: expect.stringMatching(/\(write_file\).*dropped.*smaller pieces/) },
    ]);
  });

  it("with no more than a cut one leave a reply that providers take", async () => {
    const { told } = await answersTo({ ...calls("write_file", '{"path":"b","con'), finish: "length" });
    expect(told).toMatchObject([
      { role: "assistant", content: "(empty reply)", toolCalls: [] },
      { role: "user", content: expect.stringContaining("smaller pieces") },
    ]);
  });

  it("that are whole run although the reply hit the output limit", async () => {
    const { ran } = await answersTo({ ...calls("read_file", { path: "a" }), finish: "length" });
    expect(ran).toHaveLength(1);
  });

  it("that are cut without the provider saying so are not completed", async () => {
    const { ran, told } = await answersTo(calls("write_file", '{"path":"b","content":"xyz'));
    expect(ran).toEqual([]);
    expect(told.at(-1)?.content).toMatch(/write_file was not run: .*cut off/);
  });

  it("under ids that are empty or used before get their own", async () => {
    const reply: ScriptedReply = {
      toolCalls: ["", "x", "x", ""].map((id, index) => ({
        id,
        name: "read_file",
        arguments: `{"path":"${index}"}`,
      })),
    };
    const { ran, told } = await answersTo(reply);
    expect(ran).toHaveLength(4);
    const ids = told.slice(1).map((message) => (message.role === "tool" ? message.callId : ""));
    expect(ids).toEqual(["call", "x", "x-2", "call-2"]);
    expect(told[0]).toMatchObject({ toolCalls: ids.map((id) => ({ id })) });
  });

  it("have their results in the order of the calls, however they finish", async () => {
    const first = Promise.withResolvers<string>();
    const { told, turns } = await answersTo(
      calls("read_file", { path: "a" }, calls("read_file", { path: "b" })),
      {
        effect: () => "read",
        toolHandler: async (_name, args) => {
          if (args.includes('"a"')) return first.promise;
          first.resolve("slow");
          return "quick";
        },
      },
    );
    expect(told.slice(1).map((message) => message.content)).toEqual(["slow", "quick"]);
    expect(
      turns
        .filter((turn) => turn.kind === "tool")
        .map((turn) => turn.text)
        .toSorted(),
    ).toEqual(["quick", "slow"]);
  });
});
