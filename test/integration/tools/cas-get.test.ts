import { expect, it, onTestFinished } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { calls, resolves, type ScriptedStep, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { makeNode } from "../../../src/store/node.ts";
import { runThread } from "../../../src/thread/run.ts";
import { threadBench } from "../../fixtures/thread-bench.ts";

const WORKFLOW = `
version: 1
name: two
description: Two roles.
roles:
  first: { description: One., systemPrompt: One., schema: { type: object, properties: { note: { type: string } } } }
  second: { description: Two., systemPrompt: Two., schema: { type: object, properties: { note: { type: string } } } }
moderator:
  - { from: $START, to: first }
  - { from: first, to: second }
  - { from: second, to: $END }
`;

const signal = (): AbortSignal => new AbortController().signal;

it("shows a role what its thread has stored, and nothing that another thread has, nor what lies about", async () => {
  const asked: { own?: Hash; foreign?: Hash } = {};
  const steps: ScriptedStep[] = [
    resolves({ output: { note: "secret of a tenant" } }),
    resolves({ output: { note: "-" } }),
    resolves({ output: { note: "made by this thread" } }),
    () =>
      calls(
        "cas_get",
        { hash: asked.own?.slice(0, 13) ?? "" },
        calls("cas_get", { hash: asked.foreign ?? "" }),
        calls("cas_get", { hash: loose.hash }),
      ),
    resolves({ output: { note: "read" } }),
  ];
  const model = scriptedModel(steps);
  const bench = await threadBench(model);
  onTestFinished(bench.dispose);
  const loose = makeNode("text", { encoding: "utf8", text: "nobody's" });
  await bench.store.put([loose]);
  const foreign = await bench.start(WORKFLOW);
  const other = await runThread(bench.engine, foreign.id, { signal: signal() });
  const own = await bench.start(WORKFLOW);
  await runThread(bench.engine, own.id, { signal: signal(), maxSteps: 1 });
  const outputOf = async (head: Hash): Promise<Hash | undefined> =>
    (await bench.store.history(head)).steps[0]?.step.output;
  Object.assign(asked, {
    foreign: await outputOf(other.head),
    own: await outputOf((await bench.store.thread(own.id))?.head as Hash),
  });

  const ended = await runThread(bench.engine, own.id, { signal: signal() });

  expect(ended.status).toBe("completed");
  const told = model.asked
    .at(-1)
    ?.filter((message) => message.role === "tool")
    .map(({ content }) => content);
  expect(told).toEqual([
    expect.stringContaining("made by this thread"),
    expect.stringMatching(/^cas_get: this thread has no node/),
    expect.stringMatching(/^cas_get: this thread has no node/),
  ]);
});
