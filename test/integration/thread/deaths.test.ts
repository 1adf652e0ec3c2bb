import { afterEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import { calls, resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import { runThread } from "../../../src/thread/run.ts";
import { submittingWorkflow } from "../../fixtures/submitting-workflow.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const HOUR = 3_600_000;

describe("a thread whose workers do not survive it", () => {
  const clock = { ms: 1_800_000_000_000 };
  let bench: ThreadBench;
  afterEach(() => bench.dispose());

  const run = (id: ThreadId, engine: Engine = bench.engine) =>
    runThread(engine, id, { signal: new AbortController().signal, waitOutMs: 6 * HOUR });
  /** Claims the thread and is never heard of again: nothing that it does after that reaches the store. */
  const die = async (id: ThreadId) => {
    let isClaimed = false;
    const { store } = bench;
    const advance: typeof store.advance = async (...given) => {
      if (isClaimed) throw new Error("dead");
      const claimed = await store.advance(...given);
      isClaimed = claimed !== undefined;
      return claimed;
    };
    const history = async () => {
      throw new Error("dead");
    };
    await expect(run(id, { ...bench.engine, store: { ...store, advance, history } })).rejects.toThrow("dead");
  };
  const started = async () => {
    bench = await threadBench(scriptedModel([calls("list_files", {}), resolves({ title: "t", body: "b" })]), {
      now: () => clock.ms,
    });
    const { id } = await bench.start(submittingWorkflow);
    return id;
  };

  it("fails after hours without getting further, and can be resumed", async () => {
    const id = await started();
    for (let deaths = 0; deaths < 11; deaths++) await die(id);
    expect((await bench.store.thread(id))?.status).toBe("running");
    clock.ms += 7 * HOUR;

    const failed = await run(id);

    expect(failed).toMatchObject({ status: "failed", reason: expect.stringContaining("cut off 11 times") });
    expect((await resumeThread(bench.engine, id, null)).status).toBe("queued");
    await die(id);
    await die(id);
    expect((await bench.store.thread(id))?.status).toBe("running");
  });

  it("goes on after one outage, however long", async () => {
    const id = await started();
    for (let deaths = 0; deaths < 3; deaths++) await die(id);
    clock.ms += 24 * HOUR;

    const record = await run(id);

    expect(record.status).toBe("completed");
  });
});
