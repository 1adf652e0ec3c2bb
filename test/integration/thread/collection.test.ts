import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { Hash, ThreadId } from "../../../src/base/ids.ts";
import type { Model } from "../../../src/llm/model.ts";
import { resolves, says, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import type { Damage, Store } from "../../../src/store/store.ts";
import { cancelThread, pauseThread, removeThread, resumeThread } from "../../../src/thread/commands.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { runThread } from "../../../src/thread/run.ts";
import { all } from "../../contracts/store/rig.ts";
import { crashingStore } from "../../fixtures/crashing-store.ts";
import { messageFixture } from "../../fixtures/nodes.ts";
import { reachableIn } from "../../fixtures/reachable.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const MINUTE = 60_000;
const graceMs = 60 * MINUTE;

const workflow = `
version: 1
name: two
description: Two roles in turn.
roles:
  one: { description: Begins., systemPrompt: Begin., tools: [], schema: { type: object, properties: { done: { type: boolean } } } }
  two: { description: Goes on., systemPrompt: Go on., tools: [], schema: { type: object, properties: { done: { type: boolean } } } }
moderator:
  - { from: $START, to: one }
  - { from: one, to: two }
  - { from: two, to: $END, when: 'visits.two >= 2' }
  - { from: two, to: one }
`;

type Action =
  | { kind: "start"; input: number }
  | { kind: "step" | "run"; pick: number; crashAt: number | null; beside: "nothing" | "a collection" }
  | { kind: "pause" | "resume" | "cancel" | "rm"; pick: number }
  | { kind: "fork"; pick: number; at: number }
  | { kind: "put"; name: number }
  | { kind: "gc"; crashAt: number | null }
  | { kind: "wait"; minutes: number };

const pick = fc.nat(9);
const crashAt = fc.option(fc.integer({ min: 1, max: 25 }), { freq: 2 });
const kind = <K extends string>(...kinds: K[]) => fc.constantFrom(...kinds);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind("start"), input: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind("step", "run"),
      pick,
      crashAt,
      beside: fc.constantFrom("nothing" as const, "a collection" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind("pause", "resume", "cancel", "rm"), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("fork"), pick, at: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("put"), name: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind("gc"),
      crashAt: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind("wait"), minutes: fc.constantFrom(1, 50, 200) }) },
);

/** It thinks aloud first, so that each step has turns of several kinds. */
const model = (): Model => {
  const script = scriptedModel(
    Array.from(
      { length: 500 },
      () =>
        ({ messages }) =>
          messages.at(-1)?.role === "user" && messages.filter(({ role }) => role === "assistant").length === 0
            ? says("Let me think.")
            : resolves({ done: true }),
    ),
  );
  return script;
};

/** What a person or a worker is told when a command does not fit the thread's state. */
const expected = new Set([
  ...["thread-not-ready", "thread-not-runnable", "thread-not-ended", "thread-busy", "thread-unknown"],
  ...["thread-moved", "step-unknown", "collecting"],
]);

describe("nodes of threads", () => {
  let bench: ThreadBench;
  let store: Store;
  let ahead: number;
  let young: Map<Hash, number>;
  const now = () => Date.now() + ahead;
  beforeEach(() => {
    ahead = 0;
    young = new Map();
  });
  const open = async (): Promise<void> => {
    bench = await threadBench(model(), { now });
    store = sqliteStore({ path: join(bench.root, "uwf.db"), now });
  };
  const close = async (): Promise<void> => {
    await store.close();
    await bench.dispose();
  };
  const engineOn = (own: Store): Engine => ({ ...bench.engine, store: own });

  const picked = async (place: number): Promise<ThreadId | undefined> => {
    const threads = await store.threads({ limit: 10, order: "oldest" });
    return threads[place % Math.max(1, threads.length)]?.id;
  };

  /** As a process does it that dies in the middle, if it is to. */
  const dying = async (calls: number | null, work: (own: Store) => Promise<unknown>): Promise<void> => {
    const { store: own, dead } = crashingStore(store, calls ?? Number.POSITIVE_INFINITY);
    const working = work(own).catch((error: unknown) => {
      if (!(error instanceof AppError && expected.has(error.code))) throw error;
    });
    await Promise.race([working, dead]);
  };

  const runs = async (id: ThreadId, { own, steps }: { own: Store; steps: number | null }): Promise<void> => {
    const signal = new AbortController().signal;
    await runThread(engineOn(own), id, { signal, ...(steps === null ? {} : { maxSteps: steps }) });
  };

  const perform = async (what: Action): Promise<void> => {
    switch (what.kind) {
      case "wait":
        ahead += what.minutes * MINUTE;
        return;
      case "gc":
        return collect(what.crashAt);
      case "put": {
        const nodes = [
          messageFixture(null, "below"),
          messageFixture(messageFixture(null, "below").hash, `${what.name}`),
        ];
        await store.put(nodes);
        for (const { hash } of nodes) young.set(hash, now());
        return;
      }
      case "start":
        await bench.start(workflow, { input: `Do ${what.input}.` });
        return;
    }
    const id = await picked(what.pick);
    if (id === undefined) return;
    switch (what.kind) {
      case "step":
      case "run": {
        const running = dying(what.crashAt, (own) =>
          runs(id, { own, steps: what.kind === "step" ? 1 : null }),
        );
        if (what.beside === "a collection") await store.collect({ graceMs });
        await running;
        // The lease of a process that died is waited out, as one of another machine is.
        if (what.crashAt !== null) ahead += MINUTE;
        return;
      }
      case "fork":
        return dying(null, (own) => forkThread(engineOn(own), id, { at: String(what.at), note: null }));
      case "pause":
        return dying(null, (own) => pauseThread(engineOn(own), id));
      case "resume":
        return dying(null, (own) => resumeThread(engineOn(own), id, "Go on."));
      case "cancel":
        return dying(null, (own) => cancelThread(engineOn(own), id));
      case "rm":
        return dying(null, (own) => removeThread(engineOn(own), id));
    }
  };

  /** Leaves off before it looks for the `crashAt`th time whether it should. */
  const collect = async (crashAt: number | null): Promise<void> => {
    const before = await reachableIn(store);
    const controller = new AbortController();
    let left = crashAt ?? Number.POSITIVE_INFINITY;
    const signal = Object.assign(controller.signal, {
      throwIfAborted: () => {
        if (--left <= 0) throw new AppError("It died.", { code: "collecting", remedy: "retry" });
      },
    });
    await dying(null, (own) => own.collect({ graceMs, signal }));
    const after = await reachableIn(store);
    expect(after.reachable).toEqual(before.reachable);
    for (const hash of after.there) expect(before.there).toContain(hash);
    for (const [hash, at] of young) if (now() - at < graceMs) expect(after.there).toContain(hash);
    await expectWhole();
  };

  /** Every thread's chain can be read from its beginning, and nothing is damaged. */
  const expectWhole = async (): Promise<void> => {
    for (const { head, tip } of await all(store.allThreads())) {
      await store.history(head);
      if (tip !== null) await store.turns(tip);
    }
    expect(await all<Damage>(store.verify())).toEqual([]);
  };

  it("stay as long as something leads to them, whatever happens to the threads, and go afterwards", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40, size: "max" }), async (actions) => {
        ahead = 0;
        young = new Map();
        await open();
        try {
          for (const what of actions) await perform(what);
          await collect(null);
          ahead += 3 * graceMs;
          await collect(null);
          const { there, reachable } = await reachableIn(store);
          expect(there).toEqual(reachable);
        } finally {
          await close();
        }
      }),
      { numRuns: 30 },
    );
  }, 240_000);
});
