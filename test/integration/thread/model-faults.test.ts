import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, says } from "../../../src/llm/scripted-model.ts";
import { runThread } from "../../../src/thread/run.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";
import { modelAt } from "../../rigs/asking.ts";
import type { Fault, ModelScript } from "../../rigs/model-script.ts";
import { modelServer } from "../../rigs/model-server.ts";

const oneRole = `
version: 1
name: one
description: One role.
roles:
  worker:
    description: Works.
    systemPrompt: You work.
    limits: { maxTurns: 12 }
    schema: { type: object, required: [done], properties: { done: { const: true } } }
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END }
`;

/** First a file is written, so that there is partial work; then `reply` decides, given how often it was asked. */
const after = (reply: (asked: number) => ReturnType<ModelScript>): ModelScript => {
  let asked = -1;
  return () => {
    asked++;
    return asked === 0 ? calls("write_file", { path: "partial.txt", content: "kept\n" }) : reply(asked);
  };
};
const status = (code: number, more: Partial<Extract<Fault, { fault: "status" }>> = {}): Fault => ({
  fault: "status",
  status: code,
  body: { error: { message: `status ${code}`, type: "error", code: null } },
  ...more,
});

type Case = {
  name: string;
  reply: (asked: number) => ReturnType<ModelScript>;
  status: string;
  reason: RegExp | null;
};

const cases: Case[] = [
  {
    name: "never resolves",
    reply: (n) => calls("list_files", { depth: (n % 9) + 1 }),
    status: "failed",
    reason: /^The role "worker" .*(12|turns|repl)/,
  },
  {
    name: "answers only text",
    reply: () => says("I am done!"),
    status: "failed",
    reason: /^The role "worker" /,
  },
  { name: "answers nothing", reply: () => says(""), status: "failed", reason: /^The role "worker" / },
  {
    name: "repeats one call for ever",
    reply: () => calls("read_file", { path: "partial.txt" }),
    status: "failed",
    reason: /^The role "worker" /,
  },
  {
    name: "asks for unknown tools",
    reply: () => calls("launch_rocket", {}),
    status: "failed",
    reason: /^The role "worker" /,
  },
  {
    name: "sends invalid JSON",
    reply: () => ({ toolCalls: [{ name: "read_file", arguments: '{"path": ' }] }),
    status: "failed",
    reason: /^The role "worker" /,
  },
  {
    name: "resolves with what does not fit",
    reply: () => resolves({ done: "maybe" }),
    status: "failed",
    reason: /^The role "worker" .*done/,
  },
  { name: "always answers 500", reply: () => status(500), status: "failed", reason: /worker: .*500/ },
  { name: "refuses the key", reply: () => status(401), status: "failed", reason: /worker: .*ACME_KEY/ },
  {
    name: "always cuts the stream",
    reply: () => ({ fault: "cut", after: 2, reply: says("Hello there") }),
    status: "failed",
    reason: /worker: /,
  },
  {
    name: "always sends garbage",
    reply: () => ({ fault: "garbage", after: 1, reply: says("Hello there") }),
    status: "failed",
    reason: /worker: /,
  },
  {
    name: "answers 429 twice, then works",
    reply: (n) => (n <= 2 ? status(429, { headers: { "retry-after": "0" } }) : resolves({ done: true })),
    status: "completed",
    reason: null,
  },
  {
    name: "answers 500 twice, then works",
    reply: (n) => (n <= 2 ? status(503) : resolves({ done: true })),
    status: "completed",
    reason: null,
  },
  {
    name: "cuts the stream twice, then works",
    reply: (n) => (n <= 2 ? { fault: "cut", after: 2, reply: says("Hello") } : resolves({ done: true })),
    status: "completed",
    reason: null,
  },
  {
    name: "asks for an unknown tool and garbles JSON once, then works",
    reply: (n) => {
      if (n === 1) return calls("launch_rocket", {});
      return n === 2 ? { toolCalls: [{ name: "read_file", arguments: "{oops" }] } : resolves({ done: true });
    },
    status: "completed",
    reason: null,
  },
];

let bench: ThreadBench | undefined;
let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await bench?.dispose();
  await close?.();
});

describe("a thread whose model", () => {
  it.each(cases)(
    "$name ends $status, says what happened and keeps the partial work",
    async ({ reply, status, reason }) => {
      const server = await modelServer({ script: after(reply) });
      close = server.close;
      bench = await threadBench(modelAt(server.url));
      const { id } = await bench.start(oneRole);

      const record = await runThread(bench.engine, id, { signal: new AbortController().signal });

      expect(record.status, record.reason ?? "").toBe(status);
      if (reason !== null) expect(record.reason).toMatch(reason);
      const { end, steps } = await bench.store.history(record.head);
      const turns = await bench.store.turns((end?.turns ?? steps.at(-1)?.step.turns) as never);
      expect(turns.some((turn) => turn.kind === "tool" && turn.name === "write_file" && turn.ok)).toBe(true);
    },
  );
});
