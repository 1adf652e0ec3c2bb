import fc from "fast-check";
import { expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import type { AdmissionLimits } from "../../../src/store/store.ts";
import { fixtureTime, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type AdmissionModel, admitInModel, type ModelThread } from "./admission-model.ts";
import type { Rig } from "./rig.ts";

type NewThread = { line: number | null; age: number; delay: number; status: "queued" | "running" };

type Action =
  | { kind: "create"; threads: NewThread[] }
  | { kind: "admit"; limits: AdmissionLimits }
  | { kind: "claim" | "end" | "remove"; pick: number }
  | { kind: "give back"; pick: number; delay: number }
  | { kind: "beat"; worker: string; places: number; ttlMs: number }
  | { kind: "retire"; worker: string }
  | { kind: "wait"; ms: number };

const newThread = fc.record<NewThread>({
  line: fc.option(fc.nat(5), { freq: 9 }),
  age: fc.nat(3),
  delay: fc.constantFrom(0, 0, 0, 7),
  status: fc.constantFrom("queued", "queued", "queued", "running"),
});
const limits = fc.record<AdmissionLimits>({
  perRepository: fc.integer({ min: 1, max: 3 }),
  perInstallation: fc.integer({ min: 1, max: 4 }),
  total: fc.option(fc.integer({ min: 1, max: 6 })),
});
const worker = fc.constantFrom("one", "two");
const pick = fc.nat(20);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("admit" as const), limits }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("claim" as const, "end" as const), pick }) },
  fc.record({ kind: fc.constant("remove" as const), pick }),
  fc.record({
    kind: fc.constant("create" as const),
    threads: fc.array(newThread, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant("give back" as const), pick, delay: fc.constantFrom(0, 5) }),
  fc.record({
    kind: fc.constant("beat" as const),
    worker,
    places: fc.nat(5),
    ttlMs: fc.constantFrom(4, 1_000),
  }),
  fc.record({ kind: fc.constant("retire" as const), worker }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 6 }) }),
);

const fixture = threadFixture();

let ids = 0;
/** The same in the same order whenever a counterexample is run again, which random ids are not. */
const nextId = (): ThreadId => String(++ids).padStart(26, "0") as ThreadId;

export const admissionModelContract = (rig: () => Rig): void => {
  it("admits exactly what a simple model admits, whatever happens in between", async () => {
    await rig().store.put(fixture.nodes);
    let run = 0;
    const script = fc.tuple(
      fc.array(newThread, { minLength: 4, maxLength: 14 }),
      fc.array(action, { minLength: 4, maxLength: 16 }),
    );

    await fc.assert(
      fc.asyncProperty(script, async ([threads, actions]) => {
        const model: AdmissionModel = { threads: [], workers: new Map(), served: new Map() };
        const prefix = `github/${++run}`;
        const first: Action[] = [
          { kind: "create", threads },
          { kind: "beat", worker: "one", places: 5, ttlMs: 1_000 },
        ];
        try {
          for (const next of [...first, ...actions]) await act(rig(), model, { action: next, prefix });
        } finally {
          for (const { id } of model.threads) await rig().store.removeThread(id);
          for (const name of model.workers.keys()) await rig().store.retire(name);
        }
      }),
      { numRuns: 40 },
    );
  });
};

/** Does the same to the store and to the model; what they admit must be the same. */
const act = async (
  { store, clock }: Rig,
  model: AdmissionModel,
  { action, prefix }: { action: Action; prefix: string },
): Promise<void> => {
  switch (action.kind) {
    case "create":
      for (const thread of action.threads) {
        const made = modelThread(thread, { prefix, now: clock.now, id: nextId() });
        model.threads.push(made);
        const { line, ...fields } = made;
        const none = { installation: null, repository: null };
        await store.createThread(threadRecord(fixture, { ...fields, ...(line ?? none) }), []);
      }
      return;
    case "admit": {
      const expected = admitInModel(model, { limits: action.limits, now: clock.now });
      expect(await store.admit(action.limits)).toEqual(expected);
      return;
    }
    case "beat":
      model.workers.set(action.worker, { places: action.places, until: clock.now + action.ttlMs });
      await store.beat(action.worker, action);
      return;
    case "retire":
      model.workers.delete(action.worker);
      await store.retire(action.worker);
      return;
    case "wait":
      clock.now += action.ms;
      return;
    case "remove": {
      // What shows when an installation was served may go with its thread: only one that was never served.
      const free = model.threads.filter(({ line }) => line === null || !model.served.has(line.installation));
      const thread = free[action.pick % Math.max(1, free.length)];
      if (thread === undefined) return;
      model.threads = model.threads.filter((other) => other !== thread);
      await store.removeThread(thread.id);
      return;
    }
    case "claim":
    case "end":
    case "give back": {
      const from = model.threads.filter(({ status, admitted }) =>
        action.kind === "claim" ? admitted : status === "running",
      );
      const thread = from[action.pick % Math.max(1, from.length)];
      if (thread === undefined) return;
      const status = ({ claim: "running", end: "completed", "give back": "queued" } as const)[action.kind];
      const dueAt = action.kind === "give back" ? clock.now + action.delay : 0;
      Object.assign(thread, { status, dueAt, admitted: false });
      await store.advance(thread.id, {}, { status, ...(action.kind === "give back" ? { dueAt } : {}) });
    }
  }
};

const modelThread = (
  { line, age, delay, status }: NewThread,
  { prefix, now, id }: { prefix: string; now: number; id: ThreadId },
): ModelThread => ({
  id,
  line:
    line === null
      ? null
      : { installation: `${prefix}-${line >> 1}`, repository: `${prefix}-${line >> 1}/r${line}` },
  createdAt: fixtureTime + age,
  status,
  dueAt: delay === 0 ? 0 : now + delay,
  admitted: false,
});
