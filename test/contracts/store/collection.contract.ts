import { expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Damage, Store } from "../../../src/store/store.ts";
import {
  messageFixture,
  stepFixture,
  type ThreadFixture,
  threadFixture,
  threadRecord,
} from "../../fixtures/nodes.ts";
import { all, created, type Rig, text } from "./rig.ts";

const HOUR = 60 * 60_000;
const graceMs = HOUR;

const chain = (length: number, name: string): Node<"turn">[] => {
  const turns: Node<"turn">[] = [];
  for (let n = 0; n < length; n++) turns.push(messageFixture(turns.at(-1)?.hash ?? null, `${name} ${n}`));
  return turns;
};
const lastOf = (nodes: readonly Node[]): Hash => nodes.at(-1)?.hash ?? text("none").hash;

export const collectionContract = (rig: () => Rig): void => {
  const hashes = async (store: Store) => (await all(store.allNodes())).map(({ hash }) => hash).toSorted();
  const sorted = (...nodes: readonly (readonly Node[])[]) =>
    [...new Set(nodes.flat().map(({ hash }) => hash))].toSorted();
  const damages = () => all<Damage>(rig().store.verify());
  const later = (ms = 2 * HOUR) => {
    rig().clock.now += ms;
  };

  it("keeps all that threads, the registry and links lead to, and deletes the rest", async () => {
    const { store } = rig();
    const { fixture, record } = await created(store);
    const [first, linked] = [stepFixture(fixture, null, "first"), stepFixture(fixture, null, "linked")];
    const [turns, dropped] = [chain(5, "under way"), chain(5, "dropped")];
    const registered = threadFixture({ input: "another" }).workflow;
    const approved = stepFixture(fixture, null, "approved");
    await store.put([...linked.nodes, ...approved.nodes, ...dropped, text("alone"), registered]);
    await store.advance(record.id, {}, { head: first.step.hash, tip: lastOf(turns) }, [
      ...first.nodes,
      ...turns,
    ]);
    await store.registerWorkflow("kept", registered.hash);
    await store.setLink(record.id, "approved", approved.step.hash);
    await store.setLink(record.id, "deaths", `${linked.step.hash} none 3`);
    later();

    const collection = await store.collect({ graceMs });

    expect(await hashes(store)).toEqual(
      sorted(fixture.nodes, first.nodes, turns, [registered], approved.nodes, linked.nodes),
    );
    expect(collection).toMatchObject({ kept: (await hashes(store)).length, collected: dropped.length + 1 });
    expect(collection.bytes).toBeGreaterThan(5 * 50);
    expect(await damages()).toEqual([]);
  });

  it("deletes what a removed thread alone led to", async () => {
    const { store } = rig();
    const shared = await created(store);
    const { fixture, record } = await created(store, threadFixture({ input: "another" }));
    const steps = chainOfSteps(fixture, 300);
    await store.advance(record.id, {}, { head: lastOf(steps) }, steps);
    await store.removeThread(record.id);
    later();

    const found = await store.collect({ graceMs, dryRun: true });
    const before = await hashes(store);
    const collection = await store.collect({ graceMs });

    expect(before).toEqual(sorted(shared.fixture.nodes, fixture.nodes, steps));
    expect(await hashes(store)).toEqual(sorted(shared.fixture.nodes));
    expect({ ...collection, ms: 0 }).toEqual({ ...found, ms: 0 });
    expect(collection).toMatchObject({ collected: steps.length + 1, kept: shared.fixture.nodes.length });
    expect(await store.collect({ graceMs })).toMatchObject({ collected: 0, bytes: 0 });
    expect(await damages()).toEqual([]);
  });

  it("keeps young nodes with all that they lead to, until they are old", async () => {
    const { store } = rig();
    const old = chain(3, "old");
    await store.put(old);
    later();
    const young = messageFixture(lastOf(old), "young");
    await store.put([young]);

    expect(await store.collect({ graceMs })).toMatchObject({ collected: 0, kept: 4 });
    later();
    expect(await store.collect({ graceMs })).toMatchObject({ collected: 4, kept: 0 });
  });

  it("takes a node for young that was put again", async () => {
    const { store } = rig();
    const [again, alone] = [chain(3, "put again"), chain(3, "alone")];
    await store.put([...again, ...alone]);
    later();
    await store.put(again.slice(2));

    expect(await store.collect({ graceMs })).toMatchObject({ collected: 3, kept: 3 });
    expect(await hashes(store)).toEqual(sorted(again));
  });

  it("keeps the nodes of a thread that begins with old ones", async () => {
    const { store } = rig();
    const fixture = threadFixture();
    const steps = chainOfSteps(fixture, 3);
    await store.put([...fixture.nodes, ...steps]);
    later();
    const record = threadRecord(fixture, { head: lastOf(steps) });
    await store.createThread(record, []);

    expect(await store.collect({ graceMs })).toMatchObject({ collected: 0 });
    expect((await store.history(record.head)).steps).toHaveLength(3);
  });

  it("does nothing in an empty store", async () => {
    expect(await rig().store.collect({ graceMs: 0 })).toMatchObject({ kept: 0, collected: 0, bytes: 0 });
  });

  it("stops when it is told to, and goes on the next time", async () => {
    const { store } = rig();
    const turns = chain(1_500, "garbage");
    await store.put(turns);
    later();
    const aborted = AbortSignal.abort(new Error("enough"));
    const controller = new AbortController();

    await expect(store.collect({ graceMs, signal: aborted })).rejects.toThrow("enough");
    const stopped = store.collect({ graceMs, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await stopped.catch((error: Error) => expect(error.message).toBe("enough"));
    const left = await hashes(store);

    // What refers to a node goes before it.
    expect(left).toEqual(sorted(turns.slice(0, left.length)));
    expect(await damages()).toEqual([]);
    await store.collect({ graceMs });
    expect(await hashes(store)).toEqual([]);
  });

  it("collects no node twice, and none that is needed, when two collect at once", async () => {
    const { store } = rig();
    const another = await rig().another();
    const { fixture, record } = await created(store);
    const steps = chainOfSteps(fixture, 200);
    await store.advance(record.id, {}, { head: lastOf(steps) }, steps);
    await store.put(chain(1_500, "garbage"));
    later();

    await Promise.all([store.collect({ graceMs }), another.collect({ graceMs: 0 })]);
    await store.collect({ graceMs });

    expect(await hashes(store)).toEqual(sorted(fixture.nodes, steps));
    expect(await damages()).toEqual([]);
    await another.close();
  });

  it("never takes what is taken up again at the same time", async () => {
    const { store } = rig();
    const another = await rig().another();
    const fixture = threadFixture();
    const chains = Array.from({ length: 120 }, (_, n) => chainOfSteps(fixture, 6, `chain ${n}`));
    await store.put([...fixture.nodes, ...chains.flat()]);
    later();

    const collecting = store.collect({ graceMs });
    const taken = await Promise.all(
      chains.map(async (steps, n) => {
        await new Promise((resolve) => setTimeout(resolve, n / 2));
        return takeUp(another, { fixture, steps, how: n % 3 });
      }),
    );
    await collecting;

    for (const record of taken) {
      if (record === null) continue;
      const { steps } = await store.history(record.head);
      expect([6, 7]).toContain(steps.length);
    }
    expect(await damages()).toEqual([]);
    await another.close();
  });
};

const chainOfSteps = (fixture: ThreadFixture, length: number, name = "step"): Node[] => {
  const nodes: Node[] = [];
  let prev: Hash | null = null;
  for (let n = 0; n < length; n++) {
    const step = stepFixture(fixture, prev, { name, n }, { task: `${name} ${n}` });
    nodes.push(...step.nodes);
    prev = step.step.hash;
  }
  return nodes;
};

/** Begins a thread on a chain that may be collected right now; null when it was too late. */
const takeUp = async (
  store: Store,
  { fixture, steps, how }: { fixture: ThreadFixture; steps: readonly Node[]; how: number },
) => {
  const head = lastOf(steps);
  try {
    if (how === 0) await store.put(steps.slice(-1));
    const record = threadRecord(fixture, { head });
    await store.createThread(record, fixture.nodes);
    if (how !== 2) return record;
    const end = makeNode("thread-end", {
      start: fixture.start.hash,
      prev: head,
      status: "completed",
      reason: null,
      turns: null,
      workspace: null,
      at: 0,
    });
    return await store.advance(record.id, { head }, { head: end.hash }, [end]).then((moved) => moved ?? null);
  } catch (error) {
    expect(error).toMatchObject({ code: "node-missing" });
    return null;
  }
};
