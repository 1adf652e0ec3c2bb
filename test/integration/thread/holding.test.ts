import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { bugError } from "../../../src/base/errors.ts";
import { calls, resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadLease } from "../../../src/store/store.ts";
import { cancelThread, pauseThread, resumeThread } from "../../../src/thread/commands.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import { runThread } from "../../../src/thread/run.ts";
import { gitSource } from "../../fixtures/git-source.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const oneRole = `
version: 1
name: one
description: One role.
roles:
  worker:
    description: Works.
    systemPrompt: You work.
    schema: { type: object, required: [done], properties: { done: { const: true } } }
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END }
`;

const never = () => new AbortController().signal;

let bench: ThreadBench;
afterEach(() => bench.dispose());

const benchWith = async (script: Parameters<typeof scriptedModel>[0]) => {
  const model = scriptedModel(script);
  bench = await threadBench(model);
  return model;
};
const withStore = (change: Partial<Engine["store"]>): Engine => ({
  ...bench.engine,
  store: { ...bench.store, ...change },
});

describe("holding a thread", () => {
  it("is not taken for paused while its lease is still being taken", async () => {
    await benchWith([resolves({ done: true })]);
    const { id } = await bench.start(oneRole);
    const slow = withStore({
      lease: async (key, holder, ttlMs) => {
        await wait(500);
        return bench.store.lease(key, holder, ttlMs);
      },
    });

    const record = await runThread(slow, id, { signal: never() });

    expect(record.status).toBe("completed");
  });

  it("lets one of two runs in the same process have it", async () => {
    const model = await benchWith([resolves({ done: true })]);
    const { id } = await bench.start(oneRole);

    const [mine, theirs] = await Promise.allSettled([
      runThread(bench.engine, id, { signal: never() }),
      runThread(bench.engine, id, { signal: never() }),
    ]);

    expect(mine).toMatchObject({ status: "fulfilled", value: { status: "completed" } });
    expect(theirs).toMatchObject({ status: "rejected", reason: { code: "thread-busy" } });
    expect(model.requests).toHaveLength(1);
  });

  it("leaves the ending to the run that has it, when the same process cancels", async () => {
    await benchWith([calls("shell_exec", { command: "sleep 300" })]);
    const { id } = await bench.start(oneRole);
    const running = runThread(bench.engine, id, { signal: never() });
    await expect.poll(() => bench.events.some(({ kind }) => kind === "tool-started")).toBe(true);

    const answered = await cancelThread(bench.engine, id);
    const between = await bench.store.leaseHolder(threadLease(id));
    const record = await running;

    expect(answered.status).toBe("cancelled");
    expect(between).toBeDefined();
    expect(record.status).toBe("cancelled");
    const { end } = await bench.store.history(record.head);
    expect(end?.turns).not.toBeNull();
  });
});

describe("a thread that cannot go on", () => {
  it("fails with the reason when what it is made of cannot be read", async () => {
    await benchWith([]);
    const { id } = await bench.start(oneRole);
    const damaged = withStore({
      history: async () => {
        throw bugError("node X is damaged");
      },
    });

    const record = await runThread(damaged, id, { signal: never() });

    expect(record).toMatchObject({ status: "failed", reason: expect.stringContaining("node X is damaged") });
  });

  it("has ended although its workspace cannot be given back", async () => {
    await benchWith([resolves({ done: true })]);
    const { id } = await bench.start(oneRole);
    const stuck: Engine = {
      ...bench.engine,
      workspaces: {
        ...bench.engine.workspaces,
        close: async () => {
          throw new Error("EBUSY");
        },
      },
    };

    const record = await runThread(stuck, id, { signal: never() });

    expect(record.status).toBe("completed");
  });

  it("tells people no internals of an unexpected error", async () => {
    await benchWith([new TypeError("Cannot read properties of undefined (reading '/srv/uwf')")]);
    const { id } = await bench.start(oneRole);

    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record.status).toBe("failed");
    expect(record.reason).toBe("worker: An unexpected error stopped it; the log has it.");
  });
});

describe("what a thread keeps", () => {
  it("keeps the files of a failed step when it is cancelled before it goes on", async () => {
    await benchWith([
      calls("write_file", { path: "kept.txt", content: "partial\n" }),
      bugError("The provider is down."),
    ]);
    const source = gitSource({ "a.txt": "a\n" });
    const { id } = await bench.start(oneRole, { repository: source.repository });

    await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, null);
    const { head } = await cancelThread(bench.engine, id);

    const { end } = await bench.store.history(head);
    if (!end?.workspace) throw new Error("the thread-end has no files");
    const { files } = await bench.store.load("workspace", end.workspace);
    expect(files.map(({ path }) => path)).toEqual(["kept.txt"]);
    source.dispose();
  });

  it("keeps a note until a step has taken it, also when the step failed or nothing new is said", async () => {
    const model = await benchWith([bugError("down"), bugError("down again"), resolves({ done: true })]);
    const { id } = await bench.start(oneRole);
    await runThread(bench.engine, id, { signal: never() });

    await resumeThread(bench.engine, id, "Mind the gap.");
    await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, null);
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record).toMatchObject({ status: "completed", note: null });
    expect(JSON.stringify(model.asked[2])).toContain("Mind the gap.");
  });

  it("tells a note to a role that was paused in the middle, once", async () => {
    const stop = new AbortController();
    const model = await benchWith([
      async () => {
        await pauseThread(bench.engine, id);
        return calls("write_file", { path: "a.txt", content: "a\n" });
      },
      () => {
        stop.abort();
        return calls("list_files", {});
      },
      resolves({ done: true }),
    ]);
    const { id } = await bench.start(oneRole);

    await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, "Use tabs.");
    await runThread(bench.engine, id, { signal: stop.signal });
    const record = await runThread(bench.engine, id, { signal: never() });

    expect(record).toMatchObject({ status: "completed", note: null });
    const last = JSON.stringify(model.asked[2]);
    expect(JSON.stringify(model.asked[1])).toContain("Use tabs.");
    expect(last.split("Use tabs.")).toHaveLength(2);
  });
});
