import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { Hash, ThreadId } from "../../../src/base/ids.ts";
import { readSituation as readForTerminal, situationUsage } from "../../../src/cli/thread/situation.ts";
import { calls, resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { cancelThread, pauseThread, removeThread, resumeThread } from "../../../src/thread/commands.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { runThread } from "../../../src/thread/run.ts";
import { chainOf, chainSpent } from "../../../src/thread/spent-below.ts";
import { receiptOf } from "../../../src/worker/receipt.ts";
import { readSituation } from "../../../src/worker/situation.ts";
import { threadView } from "../../../src/worker/thread-view.ts";
import { gitSource } from "../../fixtures/git-source.ts";
import { child, parent } from "../../fixtures/nested-workflows.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const itself = `
version: 1
name: itself
description: Plays a role in itself.
roles:
  again:
    description: The same once more.
    workflow: itself
    schema: { type: object, required: [ok, error], properties: { ok: { type: boolean }, error: { type: string } } }
moderator:
  - { from: $START, to: again }
  - { from: again, to: $END }
`;

const workflows = { child, itself };
const never = () => new AbortController().signal;
const checked = { status: "done", summary: "all good", further: 7 };

let bench: ThreadBench;
afterEach(() => bench.dispose());

const benchWith = async (
  script: Parameters<typeof scriptedModel>[0],
  options?: Parameters<typeof threadBench>[1],
) => {
  const model = scriptedModel(script);
  bench = await threadBench(model, options);
  return model;
};

const childrenOf = async ({ id }: Pick<ThreadRecord, "id">): Promise<ThreadRecord[]> => {
  const ids = await bench.store.linkedThreads("parent", id);
  const found = await Promise.all(ids.map((each) => bench.store.thread(each)));
  return found.filter((each) => each !== undefined);
};

const onlyChild = async (of: Pick<ThreadRecord, "id">): Promise<ThreadRecord> => {
  const [one, ...others] = await childrenOf(of);
  expect(others).toEqual([]);
  if (one === undefined) throw new Error("it has no child");
  return one;
};

const recordOf = async (id: ThreadId): Promise<ThreadRecord> => {
  const record = await bench.store.thread(id);
  if (record === undefined) throw new Error("it is gone");
  return record;
};

/** An engine that ends before it can note how a child stands. */
const cutOffAtChild = (): ThreadBench["engine"] => {
  const { store } = bench;
  const advance: typeof store.advance = (thread, expected, change, nodes = []) => {
    if (nodes.some((node) => node.type === "turn" && node.payload.kind === "child"))
      throw new AppError("no power", { code: "no-power", remedy: "retry" });
    return store.advance(thread, expected, change, nodes);
  };
  return { ...bench.engine, store: { ...store, advance } };
};

describe("a role that a workflow plays", () => {
  it("is a thread of its own in the same workspace, linked both ways, with its answer as the role's", async () => {
    const model = await benchWith([
      calls("write_file", { path: "made.txt", content: "by the child\n" }),
      resolves({ file: "made.txt" }),
      calls("shell_exec", { command: "cat made.txt" }),
      resolves(checked),
      calls("read_file", { path: "made.txt" }),
      resolves({ note: "seen" }),
    ]);
    const source = await gitSource({ "a.txt": "a\n" });
    const { id } = await bench.start(parent, { workflows, repository: source.repository, input: "a thing" });

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record).toMatchObject({ status: "completed", reason: null });
    const { steps, start } = await bench.store.history(record.head);
    expect(steps.map(({ step, output }) => [step.role, step.task, output])).toEqual([
      ["builder", "Build: a thing", { status: "done", summary: "all good" }],
      ["closer", "It says all good.", { note: "seen" }],
    ]);
    const below = await onlyChild(record);
    expect(below).toMatchObject({
      status: "completed",
      workflow: "child",
      subject: null,
      installation: null,
    });
    expect(steps[0]?.step).toMatchObject({
      childThreadId: below.id,
      childWorkflow: "child",
      childHash: below.head,
    });
    const inner = await bench.store.history(below.head);
    expect(inner.start).toMatchObject({
      parentThread: id,
      depth: 1,
      input: "Build: a thing",
      source: start.source,
    });
    expect(inner.steps.map(({ step }) => step.role)).toEqual(["coder", "checker"]);
    // The files that the child has left are the parent's.
    const left = inner.steps.at(-1)?.step.workspace as Hash;
    expect(left).not.toBeNull();
    expect(steps[0]?.step.workspace).toBe(left);
    expect((await bench.store.load("workspace", left)).files.map(({ path }) => path)).toEqual(["made.txt"]);
    // What it has used is the step's.
    const used = inner.steps.reduce((sum, { step }) => sum + step.usage.outputTokens, 0);
    expect(used).toBeGreaterThan(0);
    expect(steps[0]?.step.usage.outputTokens).toBe(used);
    expect(await bench.engine.workspaces.threads()).toEqual([]);
    expect(bench.events.filter(({ kind }) => kind === "step-started").map(({ within }) => within)).toEqual([
      undefined,
      { thread: id, roles: ["builder"] },
      { thread: id, roles: ["builder"] },
      undefined,
    ]);
    for await (const damage of bench.store.verify()) expect(damage).toBeUndefined();
    model.assertDone();
  });

  it("answers that it failed, where the schema has a word for it, and the workflow goes on", async () => {
    await benchWith([says("I"), says("have"), says("no call"), resolves({ note: "sad" })]);
    const { id } = await bench.start(parent, { workflows });

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("completed");
    const { steps } = await bench.store.history(record.head);
    expect(steps[0]?.output).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("The workflow child failed: "),
    });
    expect(steps[1]?.step.task).toContain("It failed: ");
    expect((await onlyChild(record)).status).toBe("failed");
  });

  it("waits for a person when the child does, and the child goes on with what they say", async () => {
    const model = await benchWith([
      resolves({ $status: "$SUSPEND", reason: "Which file?" }),
      resolves({ file: "b.txt" }),
      resolves(checked),
      resolves({ note: "fine" }),
    ]);
    const { id } = await bench.start(parent, { workflows });

    const waiting = await runThread(bench.engine, id, { signal: never() });
    expect(waiting).toMatchObject({ status: "suspended", reason: "Which file?" });
    await expect(resumeThread(bench.engine, (await onlyChild(waiting)).id, "b")).rejects.toMatchObject({
      code: "thread-is-child",
    });
    await resumeThread(bench.engine, id, "b.txt, of course");
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("completed");
    expect(model.asked[1]?.filter(({ role }) => role === "user").at(-1)?.content).toContain(
      "b.txt, of course",
    );
    const below = await onlyChild(record);
    const { steps } = await bench.store.history(record.head);
    expect(steps.map(({ step }) => [step.role, step.childThreadId])).toEqual([
      ["builder", below.id],
      ["builder", below.id],
      ["closer", undefined],
    ]);
    // Each step has what was used in it.
    const inner = await bench.store.history(below.head);
    const used = inner.steps.map(({ step }) => step.usage.outputTokens);
    expect(steps.slice(0, 2).map(({ step }) => step.usage.outputTokens)).toEqual([
      used[0],
      (used[1] ?? 0) + (used[2] ?? 0),
    ]);
    model.assertDone();
  });

  it("stops with its parent and goes on with it, and no call is made twice", async () => {
    let pause: () => Promise<unknown> = async () => undefined;
    const model = await benchWith([
      calls("shell_exec", { command: "echo x >> count.txt" }),
      async () => {
        await pause();
        // The parent finds out within its watch's time.
        await new Promise((resolve) => setTimeout(resolve, 600));
        return resolves({ file: "count.txt" });
      },
      resolves(checked),
      calls("shell_exec", { command: "wc -l < count.txt" }),
      resolves({ note: "one" }),
    ]);
    const source = await gitSource({ "a.txt": "a\n" });
    const { id } = await bench.start(parent, { workflows, repository: source.repository });
    pause = () => pauseThread(bench.engine, id);

    const paused = await runThread(bench.engine, id, { signal: never() });
    expect(paused.status).toBe("paused");
    expect((await onlyChild(paused)).status).toBe("queued");
    await resumeThread(bench.engine, id, null);
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("completed");
    expect(model.asked.at(-1)?.at(-1)?.content).toContain("1");
    model.assertDone();
  });

  it("goes on where another process left it", async () => {
    const killed = new AbortController();
    await benchWith([
      calls("write_file", { path: "made.txt", content: "x\n" }),
      () => {
        killed.abort();
        return new Promise(() => undefined);
      },
    ]);
    const source = await gitSource({ "a.txt": "a\n" });
    const { id } = await bench.start(parent, { workflows, repository: source.repository });

    const left = await runThread(bench.engine, id, { signal: killed.signal });
    expect(left.status).toBe("queued");
    const next = scriptedModel([resolves({ file: "made.txt" }), resolves(checked), resolves({ note: "ok" })]);
    const record = await runThread(bench.rival(next), id, { signal: never() });

    expect(record.status).toBe("completed");
    const { steps } = await bench.store.history((await onlyChild(record)).head);
    expect(steps).toHaveLength(2);
    next.assertDone();
  });

  it.each([
    ["ended", [resolves({ file: "a" }), resolves(checked)], "completed"],
    ["asked a person", [resolves({ $status: "$SUSPEND", reason: "Which?" })], "suspended"],
  ] as const)("is not run again when it %s before that was noted", async (_, script, status) => {
    const model = await benchWith([...script, resolves({ note: "x" })]);
    const { id } = await bench.start(parent, { workflows });
    const waiting = await runThread(cutOffAtChild(), id, { signal: never(), waitOutMs: 60_000 });
    expect(waiting).toMatchObject({ status: "queued", reason: expect.stringContaining("no power") });
    expect(model.asked).toHaveLength(script.length);

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe(status);
  });

  it("is accounted for when its parent is cancelled before that was noted", async () => {
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 0, costUsd: 0.5 };
    await benchWith([
      { ...resolves({ file: "a" }), usage },
      { ...resolves(checked), usage },
    ]);
    const { id } = await bench.start(parent, { workflows });
    await runThread(cutOffAtChild(), id, { signal: never(), waitOutMs: 60_000 });
    expect(chainSpent(await chainOf(bench.store, await recordOf(id))).costUsd).toBe(0);

    await cancelThread(bench.engine, id);

    const record = await recordOf(id);
    expect(record.status).toBe("cancelled");
    expect(chainSpent(await chainOf(bench.store, record)).costUsd).toBe(1);
    await resumeThread(bench.engine, id, null);
    await cancelThread(bench.engine, id);
    expect(chainSpent(await chainOf(bench.store, await recordOf(id))).costUsd).toBe(1);
  });

  it("is cancelled with its parent, and the running command with it", async () => {
    await benchWith([calls("shell_exec", { command: "sleep 60" })]);
    const { id } = await bench.start(parent, { workflows });
    const started = Date.now();
    const running = runThread(bench.engine, id, { signal: never() });
    while (!bench.events.some(({ kind }) => kind === "tool-started"))
      await new Promise((resolve) => setTimeout(resolve, 20));

    await cancelThread(bench.engine, id, "No longer wanted.");
    const record = await running;

    expect(record).toMatchObject({ status: "cancelled", reason: "No longer wanted." });
    expect(await onlyChild(record)).toMatchObject({ status: "cancelled", reason: "No longer wanted." });
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  it("lies only so deep in others", async () => {
    await benchWith([]);
    const { id } = await bench.start(itself, { workflows });

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("completed");
    const depths: number[] = [];
    for (let at: ThreadRecord | undefined = record; at !== undefined; [at] = await childrenOf(at))
      depths.push((await bench.store.history(at.head)).start.depth);
    expect(depths).toEqual([0, 1, 2, 3]);
    const [top] = (await bench.store.history(record.head)).steps;
    expect(top?.output).toEqual({ ok: false, error: expect.stringContaining("limits.maxDepth") });
  });

  it("spends its parent's budget", async () => {
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 0, costUsd: 0.5 };
    const costly = <T extends object>(reply: T): T => ({ ...reply, usage });
    const model = await benchWith([
      costly(resolves({ file: "a" })),
      costly(resolves(checked)),
      costly(resolves({ note: "x" })),
    ]);
    const limits = { pauseAfterRounds: 40, budgetUsd: 0.9, budgetTokens: null };
    const { id } = await bench.start(parent, { workflows, limits });

    const paused = await runThread(bench.engine, id, { signal: never() });
    expect(paused).toMatchObject({ status: "paused", reason: expect.stringContaining("budget of $0.90") });
    expect(model.asked).toHaveLength(1);
    await resumeThread(bench.engine, id, null);
    const again = await runThread(bench.engine, id, { signal: never() });
    expect(again.status).toBe("paused");
    await resumeThread(bench.engine, id, null);
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("completed");
    const { steps } = await bench.store.history(record.head);
    expect(steps.map(({ step }) => step.usage.costUsd)).toEqual([1, 0.5]);
  });

  it("has no more of the budget than the roles before it have left", async () => {
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 0, costUsd: 0.5 };
    const model = await benchWith([
      { ...resolves({ note: "x" }), usage },
      { ...resolves({ file: "a" }), usage },
      { ...resolves(checked), usage },
    ]);
    const closerFirst = parent
      .replace("{ from: $START, to: builder", "{ from: $START, to: closer }\n  - { from: closer, to: builder")
      .replace(/ {2}- \{ from: builder, to: closer[\s\S]*$/, "  - { from: builder, to: $END }\n");
    const limits = { pauseAfterRounds: 40, budgetUsd: 1.9, budgetTokens: null };
    const { id } = await bench.start(closerFirst, { workflows, limits });

    const paused = await runThread(bench.engine, id, { signal: never() });

    expect(paused).toMatchObject({ status: "paused", reason: expect.stringContaining("budget of $1.90") });
    expect(model.asked).toHaveLength(2);
  });

  it("is counted in what its parent is shown to have spent while it works, and once", async () => {
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 0, costUsd: 0.5 };
    const seen: unknown[] = [];
    const look = async (id: ThreadId) => {
      const record = await bench.store.thread(id);
      if (record === undefined) throw new Error("it is gone");
      const view = await threadView(bench.store, await readSituation(bench.store, record), Date.now());
      const { usage: told } = situationUsage(await readForTerminal(bench.store, record));
      seen.push([view.usage.costUsd, view.budget?.spentUsd, told.costUsd]);
    };
    let id: ThreadId | null = null;
    await benchWith([
      { ...resolves({ file: "a" }), usage },
      async () => {
        if (id !== null) await look(id);
        return { ...calls("shell_exec", { command: "true" }), usage };
      },
      { ...resolves(checked), usage },
      async () => {
        if (id !== null) await look(id);
        return { ...resolves({ note: "x" }), usage };
      },
    ]);
    const source = await gitSource({ "a.txt": "a\n" });
    const limits = { pauseAfterRounds: 40, budgetUsd: 9, budgetTokens: null };
    ({ id } = await bench.start(parent, { workflows, repository: source.repository, limits }));
    await runThread(bench.engine, id, { signal: never() });
    await look(id);

    expect(seen).toEqual([
      [0.5, 0.5, 0.5],
      [1.5, 1.5, 1.5],
      [2, 2, 2],
    ]);
  });

  it("is shown below its role while it works and when it is done, and in the receipt", async () => {
    let seen: unknown;
    const views = async (id: ThreadId) => {
      const record = await bench.store.thread(id);
      const view =
        record && (await threadView(bench.store, await readSituation(bench.store, record), Date.now()));
      return view?.roles.map(({ name, state, within }) => [
        `${name} ${state}`,
        within.map((each) => `${each.name} ${each.state}`),
      ]);
    };
    let id: ThreadId | null = null;
    await benchWith([
      resolves({ file: "a" }),
      async () => {
        seen = id === null ? null : await views(id);
        return calls("shell_exec", { command: "true" });
      },
      resolves(checked),
      resolves({ note: "x" }),
    ]);
    const source = await gitSource({ "a.txt": "a\n" });
    ({ id } = await bench.start(parent, { workflows, repository: source.repository }));
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(seen).toEqual([
      ["builder running", ["coder done", "checker running"]],
      ["closer waiting", []],
    ]);
    expect(await views(id)).toEqual([
      ["builder done", ["coder done", "checker done"]],
      ["closer done", []],
    ]);
    const history = await bench.store.history(record.head);
    const workspace = history.start.workspace as Hash;
    const receipt = await receiptOf(bench.store, { thread: id, history, step: null, workspace }, Date.now());
    expect(receipt.roles.map(({ role }) => role)).toEqual(["coder", "checker", "closer"]);
    expect(receipt.commands.map(({ command }) => command)).toEqual(["true"]);
  });

  it("begins anew in a fork, whose child is its own", async () => {
    await benchWith([
      resolves({ $status: "$SUSPEND", reason: "Which file?" }),
      resolves({ file: "b.txt" }),
      resolves(checked),
      resolves({ note: "fine" }),
    ]);
    const { id } = await bench.start(parent, { workflows });
    const waiting = await runThread(bench.engine, id, { signal: never() });
    const fork = await forkThread(bench.engine, id, { at: "1", note: "b.txt" });

    const record = await runThread(bench.engine, fork.id, { signal: never() });

    expect(record.status).toBe("completed");
    expect(await onlyChild(waiting)).toMatchObject({ status: "suspended" });
    expect((await onlyChild(record)).id).not.toBe((await onlyChild(waiting)).id);
  });

  it("is removed with its parent", async () => {
    await benchWith([resolves({ file: "a" }), resolves(checked), resolves({ note: "x" })]);
    const { id } = await bench.start(parent, { workflows });
    const record = await runThread(bench.engine, id, { signal: never() });
    const below = await onlyChild(record);

    await expect(removeThread(bench.engine, below.id as ThreadId)).rejects.toMatchObject({
      code: "thread-is-child",
      hint: `Remove ${id}: this one goes with it.`,
    });
    expect(await bench.store.thread(below.id as ThreadId)).toBeDefined();
    await removeThread(bench.engine, id);

    expect(await bench.store.thread(below.id as ThreadId)).toBeUndefined();
  });
});
