import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { ThreadId } from "../../../src/base/ids.ts";
import { resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord, ThreadStatus } from "../../../src/store/store.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import type { RunOptions } from "../../../src/thread/control.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import { runThread } from "../../../src/thread/run.ts";
import { child, parent } from "../../fixtures/nested-workflows.ts";
import { replayed } from "../../fixtures/replay-rig.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const around = parent
  .replace("name: parent", "name: around")
  .replace("workflow: child", "workflow: parent")
  .replace("required: [status, summary]", "required: [note]")
  .replace("properties: { status: { enum: [done, failed] }", "properties: { note: { type: string }")
  .replace(
    / {2}- \{ from: builder, to: closer[\s\S]*$/,
    "  - { from: builder, to: closer }\n  - { from: closer, to: $END }\n",
  );
const workflows = { child, parent };
const coded = resolves({ file: "a" });
const checked = resolves({ status: "done", summary: "all good", further: 7 });
const closed = resolves({ note: "x" });
const out = new AppError("the model is out", { code: "model-unreachable", remedy: "retry" });

let bench: ThreadBench;
afterEach(() => bench.dispose());

const benchWith = async (script: Parameters<typeof scriptedModel>[0]) => {
  const model = scriptedModel(script);
  bench = await threadBench(model);
  return model;
};
const run = (id: ThreadId, engine: Engine = bench.engine, options: Partial<RunOptions> = {}) =>
  runThread(engine, id, { signal: new AbortController().signal, ...options });

const below = async (id: ThreadId): Promise<ThreadRecord[]> => {
  const found: ThreadRecord[] = [];
  for (const each of await bench.store.linkedThreads("parent", id)) {
    const record = await bench.store.thread(each);
    if (record !== undefined) found.push(record, ...(await below(each)));
  }
  return found;
};
const statesBelow = async (id: ThreadId): Promise<ThreadStatus[]> =>
  (await below(id)).map(({ status }) => status);

describe("the rounds of a thread in which workflows play roles", () => {
  const limits = (pauseAfterRounds: number) => ({ pauseAfterRounds, budgetUsd: null, budgetTokens: null });

  it("are those of all of them together, wherever the next one would be", async () => {
    const model = await benchWith([coded, checked, closed, closed]);
    const { id } = await bench.start(around, { workflows, limits: limits(2) });

    const first = await run(id);
    expect(first).toMatchObject({
      status: "paused",
      reason: expect.stringMatching(/^Paused after 2 steps for a person to judge\./),
    });
    expect(model.asked).toHaveLength(2);
    await resumeThread(bench.engine, id, null);

    expect(await run(id)).toMatchObject({ status: "completed" });
    model.assertDone();
  });

  it("count a role that a workflow played as the steps in it, and once", async () => {
    const model = await benchWith([coded, checked, closed, closed]);
    const { id } = await bench.start(around, { workflows, limits: limits(4) });

    expect(await run(id)).toMatchObject({ status: "completed" });
    model.assertDone();
  });

  it("are counted where a thread below has waited for a person", async () => {
    await benchWith([coded, resolves({ $status: "$SUSPEND", reason: "Which?" }), checked, closed]);
    const { id } = await bench.start(parent, { workflows, limits: limits(2) });

    expect(await run(id)).toMatchObject({ status: "suspended" });
    await resumeThread(bench.engine, id, "That.");

    expect(await run(id)).toMatchObject({ status: "completed" });
  });
});

describe("a thread that failed while one that plays a role in it was not at its end", () => {
  /** An engine that fails where the thread would note how one in it stands. */
  const failing = (id: ThreadId): Engine => {
    const { store } = bench;
    const advance: typeof store.advance = (thread, expected, change, nodes = []) => {
      const isNote = nodes.some((node) => node.type === "turn" && node.payload.kind === "child");
      if (thread === id && isNote && change.status === undefined)
        throw new AppError("the node is damaged", { code: "node-damaged", remedy: "bug" });
      return store.advance(thread, expected, change, nodes);
    };
    return { ...bench.engine, store: { ...store, advance } };
  };
  const failed = async (id: ThreadId) => {
    const record = await run(id, failing(id), { waitOutMs: 60_000 });
    expect(record).toMatchObject({ status: "failed", reason: expect.stringContaining("damaged") });
  };

  it("leaves none in a line that nobody looks at, and goes on with it when it is resumed", async () => {
    const model = await benchWith([coded, out, checked, closed]);
    const { id } = await bench.start(parent, { workflows });
    await failed(id);
    expect(await statesBelow(id)).toEqual(["paused"]);
    const [left] = await below(id);

    await resumeThread(bench.engine, id, "It is there again.");
    const record = await run(id);
    expect(record).toMatchObject({ status: "completed" });

    expect(await below(id)).toMatchObject([{ id: left?.id, status: "completed" }]);
    expect((await replayed(bench, record)).drift).toEqual([]);
    expect(JSON.stringify(model.asked.at(-2))).toContain("It is there again.");
    model.assertDone();
  });

  it("goes on with it after it has failed once more", async () => {
    const model = await benchWith([coded, out, out, checked, closed]);
    const { id } = await bench.start(parent, { workflows });
    await failed(id);
    await resumeThread(bench.engine, id, null);
    await failed(id);
    expect(await statesBelow(id)).toEqual(["paused"]);

    await resumeThread(bench.engine, id, null);
    expect(await run(id)).toMatchObject({ status: "completed" });

    expect(await statesBelow(id)).toEqual(["completed"]);
    model.assertDone();
  });

  it("does so at any depth", async () => {
    const model = await benchWith([coded, out, checked, closed, closed]);
    const { id } = await bench.start(around, { workflows });
    await failed(id);
    expect(new Set(await statesBelow(id))).not.toContain("queued");

    await resumeThread(bench.engine, id, null);
    expect(await run(id)).toMatchObject({ status: "completed" });

    expect(new Set(await statesBelow(id))).toEqual(new Set(["completed"]));
    model.assertDone();
  });

  it("has those cancelled that nobody takes up again, because it plays a role itself", async () => {
    const model = await benchWith([coded, out, coded, checked, closed, closed]);
    const { id } = await bench.start(around, { workflows });
    const { store } = bench;
    const advance: typeof store.advance = (thread, expected, change, nodes = []) => {
      const isNote = nodes.some((node) => node.type === "turn" && node.payload.kind === "child");
      if (isNote && change.status === undefined)
        throw new AppError("the node is damaged", { code: "node-damaged", remedy: "bug" });
      return store.advance(thread, expected, change, nodes);
    };
    const record = await run(id, { ...bench.engine, store: { ...store, advance } }, { waitOutMs: 60_000 });
    expect(record.status).toBe("failed");
    expect(await statesBelow(id)).toEqual(["failed", "cancelled"]);

    await resumeThread(bench.engine, id, null);
    expect(await run(id)).toMatchObject({ status: "completed" });
    model.assertDone();
  });
});
