import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../src/base/ids.ts";
import { makeNode, type Node } from "../../src/store/node.ts";
import { type Damage, type Store, threadLease } from "../../src/store/store.ts";
import {
  fixtureTime,
  messageFixture,
  stepFixture,
  type ThreadFixture,
  threadFixture,
  threadRecord,
} from "../fixtures/nodes.ts";

export type ContractStore = {
  store: Store;
  /** Another connection to the same data, as another process would have. */
  another(): Promise<Store>;
  dispose(): Promise<void>;
};

export type MakeContractStore = (options: { now: () => number }) => Promise<ContractStore>;

type Rig = ContractStore & { clock: { now: number } };

/** What every adapter of the `Store` port must do. `makeStore` gives a new, empty store. */
export const storeContract = (name: string, makeStore: MakeContractStore): void => {
  describe(`${name} keeps the store's contract`, () => {
    let rig: Rig;
    beforeEach(async () => {
      const clock = { now: fixtureTime };
      rig = { ...(await makeStore({ now: () => clock.now })), clock };
    });
    afterEach(() => rig.dispose());

    describe("nodes", () => nodesContract(() => rig));
    describe("chains", () => chainsContract(() => rig));
    describe("graph", () => graphContract(() => rig));
    describe("threads", () => threadsContract(() => rig));
    describe("advance", () => advanceContract(() => rig));
    describe("leases", () => leasesContract(() => rig));
    describe("registry", () => registryContract(() => rig));
    describe("deliveries", () => deliveriesContract(() => rig));
    describe("links", () => linksContract(() => rig));
  });
};

const text = (content: string): Node<"text"> => makeNode("text", { encoding: "utf8", text: content });

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const created = async (store: Store, fixture: ThreadFixture = threadFixture()) => {
  const record = threadRecord(fixture);
  await store.createThread(record, fixture.nodes);
  return { fixture, record };
};

const nodesContract = (rig: () => Rig): void => {
  it("gives back what was put, refs in their order", async () => {
    const { nodes, workflow, start } = threadFixture();

    await rig().store.put(nodes);

    expect(await rig().store.get(start.hash)).toEqual(start);
    expect(await rig().store.get(workflow.hash)).toEqual(workflow);
  });

  it("knows nothing of a hash that was never put", async () => {
    expect(await rig().store.get(text("never put").hash)).toBeUndefined();
  });

  it.each([10, 5_000, 2_000_000])("keeps a text of %i characters", async (length) => {
    const node = text("naïve ✓ 𝒳 ".repeat(length / 10));

    await rig().store.put([node]);

    expect(await rig().store.load("text", node.hash)).toEqual(node.payload);
  });

  it("keeps text that compresses badly and text of one repeated character", async () => {
    const noise = Array.from({ length: 3_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    );
    const nodes = [text(noise.join("")), text("a".repeat(100_000))];

    await rig().store.put(nodes);

    expect(await Promise.all(nodes.map(({ hash }) => rig().store.get(hash)))).toEqual(nodes);
  });

  it("takes nodes in any order, and the same one twice", async () => {
    const { nodes, start } = threadFixture();

    await rig().store.put([...nodes, ...nodes].reverse());
    await rig().store.put(nodes);

    expect(await all(rig().store.walk(start.hash))).toHaveLength(nodes.length);
  });

  it("refuses a node whose ref leads nowhere, and the others with it", async () => {
    const { fixture } = { fixture: threadFixture() };
    const bystander = text("bystander");

    const putting = rig().store.put([bystander, fixture.start]);

    await expect(putting).rejects.toMatchObject({ code: "node-missing", remedy: "fix-input" });
    expect(await rig().store.get(bystander.hash)).toBeUndefined();
  });

  it("refuses a node that was changed after it was made", async () => {
    const node = text("as made");
    node.payload.text = "changed";

    await expect(rig().store.put([node])).rejects.toMatchObject({ remedy: "bug" });
  });

  it("loads by type, and names the hash when the type is another or the node is missing", async () => {
    const node = text("content");
    const missing = text("missing");
    await rig().store.put([node]);

    const wrong = rig().store.load("output", node.hash);
    const absent = rig().store.load("text", missing.hash);

    await expect(wrong).rejects.toMatchObject({ code: "node-type" });
    await expect(wrong).rejects.toThrow(node.hash.slice(0, 13));
    await expect(absent).rejects.toMatchObject({ code: "node-missing" });
    await expect(absent).rejects.toThrow(missing.hash.slice(0, 13));
  });

  it("loads several in the order asked, repeated ones too", async () => {
    const [a, b] = [text("a"), text("b")];
    await rig().store.put([a, b]);

    const payloads = await rig().store.loadAll("text", [b.hash, a.hash, b.hash]);

    expect(payloads.map((payload) => payload.text)).toEqual(["b", "a", "b"]);
    expect(await rig().store.loadAll("text", [])).toEqual([]);
    await expect(rig().store.loadAll("text", [a.hash, text("c").hash])).rejects.toMatchObject({
      code: "node-missing",
    });
  });

  it("finds hashes by a prefix in any case, with look-alike letters", async () => {
    const node = text("to be found");
    await rig().store.put([node, text("another")]);
    const typed = node.hash.slice(0, 8).toLowerCase().replaceAll("1", "l").replaceAll("0", "o");

    expect(await rig().store.findHashes(typed, 10)).toEqual([node.hash]);
    expect(await rig().store.findHashes(node.hash, 10)).toEqual([node.hash]);
    expect(await rig().store.findHashes("UUUUUUUU", 10)).toEqual([]);
    expect(await rig().store.findHashes("%_%_%_%_", 10)).toEqual([]);
    await expect(rig().store.findHashes(node.hash.slice(0, 7), 10)).rejects.toMatchObject({
      code: "prefix-too-short",
    });
  });
};

const chainsContract = (rig: () => Rig): void => {
  it("gives a new thread's history: its start alone", async () => {
    const { fixture } = await created(rig().store);

    const history = await rig().store.history(fixture.start.hash);

    expect(history).toEqual({ start: fixture.start.payload, steps: [], end: null });
  });

  it("gives steps oldest first, with their outputs", async () => {
    const { fixture } = await created(rig().store);
    const first = stepFixture(fixture, null, { n: 1 });
    const second = stepFixture(fixture, first.step.hash, { n: 2, text: "x".repeat(10_000) });
    await rig().store.put([...first.nodes, ...second.nodes]);

    const history = await rig().store.history(second.step.hash);

    expect(history.start).toEqual(fixture.start.payload);
    expect(history.steps).toEqual(
      [first, second].map(({ step, output }) => ({
        hash: step.hash,
        step: step.payload,
        output: output.payload.value,
      })),
    );
  });

  it.each(["after a step", "without a step"])("gives the end %s", async (when) => {
    const { fixture } = await created(rig().store);
    const step = stepFixture(fixture, null);
    const end = makeNode("thread-end", {
      start: fixture.start.hash,
      prev: when === "after a step" ? step.step.hash : null,
      status: "failed",
      reason: "the model gave up",
      turns: null,
      workspace: null,
      at: fixtureTime,
    });
    await rig().store.put([...step.nodes, end]);

    const history = await rig().store.history(end.hash);

    expect(history.end).toEqual(end.payload);
    expect(history.steps).toHaveLength(when === "after a step" ? 1 : 0);
    expect(history.start).toEqual(fixture.start.payload);
  });

  it("shares a prefix between two threads that were forked", async () => {
    const { fixture } = await created(rig().store);
    const shared = stepFixture(fixture, null, { n: 1 });
    const left = stepFixture(fixture, shared.step.hash, { side: "left" });
    const right = stepFixture(fixture, shared.step.hash, { side: "right" });
    await rig().store.put([...shared.nodes, ...left.nodes, ...right.nodes]);

    const history = await rig().store.history(right.step.hash);

    expect(history.steps.map((step) => step.output)).toEqual([{ n: 1 }, { side: "right" }]);
  });

  it("refuses a history of what is no thread, or is missing", async () => {
    const { fixture } = await created(rig().store);

    await expect(rig().store.history(fixture.role.hash)).rejects.toMatchObject({ code: "node-type" });
    await expect(rig().store.history(text("none").hash)).rejects.toMatchObject({ code: "node-missing" });
  });

  it("gives turns oldest first", async () => {
    const turns: Node<"turn">[] = [];
    for (const words of ["one", "two", "three"])
      turns.push(messageFixture(turns.at(-1)?.hash ?? null, words));
    const [first, , last] = turns;
    await rig().store.put(turns);

    expect(await rig().store.turns(last?.hash ?? text("").hash)).toEqual(turns.map((turn) => turn.payload));
    expect(await rig().store.turns(first?.hash ?? text("").hash)).toHaveLength(1);
  });

  it("refuses turns of what is no turn, or is missing", async () => {
    const { fixture } = await created(rig().store);

    await expect(rig().store.turns(fixture.start.hash)).rejects.toMatchObject({ code: "node-type" });
    await expect(rig().store.turns(text("none").hash)).rejects.toMatchObject({ code: "node-missing" });
  });

  it("reads a chain of 2,000 turns", async () => {
    const turns: Node<"turn">[] = [];
    for (let n = 0; n < 2_000; n++) turns.push(messageFixture(turns.at(-1)?.hash ?? null, `turn ${n}`));
    await rig().store.put(turns);

    const read = await rig().store.turns(turns.at(-1)?.hash ?? text("").hash);

    expect(read).toEqual(turns.map((turn) => turn.payload));
  });
};

const graphContract = (rig: () => Rig): void => {
  it("walks everything reachable, the node itself first, each once", async () => {
    const { fixture } = await created(rig().store);
    const first = stepFixture(fixture, null, { n: 1 });
    const second = stepFixture(fixture, first.step.hash, { n: 2 });
    await rig().store.put([...first.nodes, ...second.nodes, text("unrelated")]);

    const walked = await all(rig().store.walk(second.step.hash));

    const expected = [...fixture.nodes, ...first.nodes, ...second.nodes];
    expect(walked[0]).toEqual(second.step);
    expect(walked.map((node) => node.hash).toSorted()).toEqual(expected.map((node) => node.hash).toSorted());
  });

  it("walks more than one batch, and stops when the reader does", async () => {
    const turns: Node<"turn">[] = [];
    for (let n = 0; n < 700; n++) turns.push(messageFixture(turns.at(-1)?.hash ?? null, `turn ${n}`));
    await rig().store.put(turns);
    const tip = turns.at(-1)?.hash ?? text("").hash;

    const walked = await all(rig().store.walk(tip));
    for await (const node of rig().store.walk(tip)) if (node.hash !== tip) break;

    expect(walked).toEqual(turns.toReversed());
  });

  it("refuses to walk from a hash that is missing", async () => {
    await expect(all(rig().store.walk(text("none").hash))).rejects.toMatchObject({ code: "node-missing" });
  });

  it("finds nothing damaged in what it wrote itself", async () => {
    const { fixture } = await created(rig().store);
    const step = stepFixture(fixture, null, { text: "y".repeat(20_000) });
    await rig().store.put([...step.nodes, ...Array.from({ length: 300 }, (_, n) => text(`text ${n}`))]);

    expect(await all<Damage>(rig().store.verify())).toEqual([]);
  });
};

const threadsContract = (rig: () => Rig): void => {
  it("gives back the record as it was created", async () => {
    const fixture = threadFixture();
    const turn = messageFixture(null, "under way");
    const record = threadRecord(fixture, {
      tip: turn.hash,
      begun: ["call-1", "call-2"],
      status: "paused",
      reason: "a person asked",
      note: "go on with “care”",
    });

    await rig().store.createThread(record, [...fixture.nodes, turn]);

    expect(await rig().store.thread(record.id)).toEqual(record);
    expect(await rig().store.thread(newThreadId())).toBeUndefined();
  });

  it("creates no thread twice, and none whose nodes are missing", async () => {
    const { record } = await created(rig().store);
    const other = threadFixture({ input: "never put" });

    await expect(rig().store.createThread(record, [])).rejects.toMatchObject({ code: "thread-exists" });
    await expect(rig().store.createThread(threadRecord(other), [])).rejects.toMatchObject({
      code: "node-missing",
    });
    expect(await rig().store.threads({ limit: 10 })).toEqual([record]);
  });

  it("lists threads newest first, by status, up to a limit", async () => {
    const fixture = threadFixture();
    const statuses = ["completed", "queued", "running"] as const;
    const records = statuses.map((status, n) =>
      threadRecord(fixture, { status, createdAt: fixtureTime + n }),
    );
    for (const record of records) await rig().store.createThread(record, fixture.nodes);
    const listed = async (filter: Parameters<Store["threads"]>[0]) =>
      (await rig().store.threads(filter)).map((record) => record.status);

    expect(await listed({ limit: 10 })).toEqual(["running", "queued", "completed"]);
    expect(await listed({ limit: 2 })).toEqual(["running", "queued"]);
    expect(await listed({ status: ["completed", "queued"], limit: 10 })).toEqual(["queued", "completed"]);
    expect(await listed({ status: [], limit: 10 })).toEqual([]);
  });

  it("finds threads by a prefix in any case", async () => {
    const fixture = threadFixture();
    const ids = ["01HZZZZZZZAAAAAAAAAAAAAAAA", "01HZZZZZZZBBBBBBBBBBBBBBBB"] as ThreadId[];
    for (const id of ids) await rig().store.createThread(threadRecord(fixture, { id }), fixture.nodes);

    expect(await rig().store.findThreads("o1hzzzzzzz", 10)).toEqual(ids);
    expect(await rig().store.findThreads("01HZZZZZZZB", 10)).toEqual(ids.slice(1));
    expect(await rig().store.findThreads("01HZZZZZZZ", 1)).toEqual(ids.slice(0, 1));
    await expect(rig().store.findThreads("01HZZZZ", 1)).rejects.toMatchObject({ code: "prefix-too-short" });
  });

  it("removes a thread with its links and lease, and leaves its nodes", async () => {
    const { fixture, record } = await created(rig().store);
    await rig().store.setLink(record.id, "comment", "42");
    await rig().store.lease(threadLease(record.id), "me", 60_000);

    await rig().store.removeThread(record.id);
    await rig().store.removeThread(record.id);

    expect(await rig().store.thread(record.id)).toBeUndefined();
    expect(await rig().store.link(record.id, "comment")).toBeUndefined();
    expect(await rig().store.leaseHolder(threadLease(record.id))).toBeUndefined();
    expect(await rig().store.get(fixture.start.hash)).toEqual(fixture.start);
  });
};

const advanceContract = (rig: () => Rig): void => {
  it("moves the head and stores the nodes, and answers the new record", async () => {
    const { fixture, record } = await created(rig().store);
    const { step, nodes } = stepFixture(fixture, null);
    rig().clock.now += 5;

    const moved = await rig().store.advance(
      record.id,
      { head: record.head, tip: null, status: "queued" },
      { head: step.hash, status: "running", begun: ["call-1"], note: "hello", grantedAt: fixtureTime + 1 },
      nodes,
    );

    expect(moved).toEqual({
      ...record,
      head: step.hash,
      status: "running",
      begun: ["call-1"],
      note: "hello",
      grantedAt: fixtureTime + 1,
      updatedAt: fixtureTime + 5,
    });
    expect(await rig().store.thread(record.id)).toEqual(moved);
    expect(await rig().store.get(step.hash)).toEqual(step);
  });

  it("sets and clears the tip, the reason and the note", async () => {
    const { record } = await created(rig().store);
    const turn = messageFixture(null, "first");

    const set = await rig().store.advance(record.id, {}, { tip: turn.hash, reason: "r", note: "n" }, [turn]);
    const cleared = await rig().store.advance(
      record.id,
      { tip: turn.hash },
      { tip: null, reason: null, note: null },
    );

    expect(set).toMatchObject({ tip: turn.hash, reason: "r", note: "n" });
    expect(cleared).toMatchObject({ tip: null, reason: null, note: null });
    expect(await rig().store.thread(record.id)).toEqual(cleared);
  });

  it("writes nothing when any expectation fails", async () => {
    const { fixture, record } = await created(rig().store);
    const { step, nodes } = stepFixture(fixture, null);
    const turn = messageFixture(null, "a turn");
    await rig().store.put([turn]);
    const expectations = [
      { head: step.hash },
      { tip: turn.hash },
      { status: "running" },
      { holder: "me" },
    ] as const;

    const answers = [];
    for (const expected of expectations)
      answers.push(await rig().store.advance(record.id, expected, { status: "failed" }, nodes));

    expect(answers).toEqual(expectations.map(() => undefined));
    expect(await rig().store.thread(record.id)).toEqual(record);
    expect(await rig().store.get(step.hash)).toBeUndefined();
  });

  it("answers undefined for a thread that is gone", async () => {
    const note = text("never written");

    expect(await rig().store.advance(newThreadId(), {}, { status: "running" }, [note])).toBeUndefined();
    expect(await rig().store.get(note.hash)).toBeUndefined();
  });

  it("writes nothing when a node's ref or the new head is missing", async () => {
    const { fixture, record } = await created(rig().store);
    const { step } = stepFixture(fixture, null);

    const withoutOutput = rig().store.advance(record.id, {}, { head: step.hash }, [step]);
    const withoutNodes = rig().store.advance(record.id, {}, { head: step.hash });

    await expect(withoutOutput).rejects.toMatchObject({ code: "node-missing" });
    await expect(withoutNodes).rejects.toMatchObject({ code: "node-missing" });
    expect(await rig().store.thread(record.id)).toEqual(record);
  });

  it("lets only the holder of the lease move it, and only while the lease lasts", async () => {
    const { record } = await created(rig().store);
    await rig().store.lease(threadLease(record.id), "me", 1_000);
    const move = (holder: string) => rig().store.advance(record.id, { holder }, { status: "running" });

    expect(await move("another")).toBeUndefined();
    expect(await move("me")).toMatchObject({ status: "running" });
    rig().clock.now += 1_000;
    expect(await move("me")).toBeUndefined();
  });

  it("lets one of two connections win each step", async () => {
    const { fixture, record } = await created(rig().store);
    const stores = [rig().store, await rig().another()];
    const rivals = stores.map((_, n) => stepFixture(fixture, null, { rival: n }));

    const answers = await Promise.all(
      rivals.map(({ step, nodes }, n) =>
        (stores[n] ?? rig().store).advance(record.id, { head: record.head }, { head: step.hash }, nodes),
      ),
    );

    const winners = answers.filter((answer) => answer !== undefined);
    expect(winners).toHaveLength(1);
    expect(await rig().store.thread(record.id)).toEqual(winners[0]);
    await stores[1]?.close();
  });
};

const leasesContract = (rig: () => Rig): void => {
  it("is free, then its holder's, then free when it is over", async () => {
    const { store, clock } = rig();

    expect(await store.leaseHolder("key")).toBeUndefined();
    expect(await store.lease("key", "a", 100)).toBe(true);
    expect(await store.lease("key", "b", 100)).toBe(false);
    expect(await store.leaseHolder("key")).toBe("a");
    clock.now += 100;
    expect(await store.leaseHolder("key")).toBeUndefined();
    expect(await store.lease("key", "b", 100)).toBe(true);
    expect(await store.lease("key", "a", 100)).toBe(false);
  });

  it("is renewed by its holder", async () => {
    const { store, clock } = rig();
    await store.lease("key", "a", 100);

    clock.now += 90;
    expect(await store.lease("key", "a", 100)).toBe(true);
    clock.now += 90;
    expect(await store.leaseHolder("key")).toBe("a");
  });

  it("is given back by its holder alone", async () => {
    const { store } = rig();
    await store.lease("key", "a", 100);

    await store.release("key", "b");
    expect(await store.leaseHolder("key")).toBe("a");
    await store.release("key", "a");
    expect(await store.leaseHolder("key")).toBeUndefined();
  });

  it("goes to one of many that ask at once", async () => {
    const stores = [rig().store, await rig().another()];

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (stores[n % 2] ?? rig().store).lease("key", `holder ${n}`, 1_000)),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
    await stores[1]?.close();
  });
};

const registryContract = (rig: () => Rig): void => {
  it("names workflows, and moves a name", async () => {
    const { store } = rig();
    const { nodes, workflow, role } = threadFixture();
    await store.put(nodes);

    expect(await store.workflowHash("solve")).toBeUndefined();
    await store.registerWorkflow("solve", workflow.hash);
    await store.registerWorkflow("a", workflow.hash);
    expect(await store.workflows()).toEqual([
      { name: "a", hash: workflow.hash },
      { name: "solve", hash: workflow.hash },
    ]);
    await store.registerWorkflow("solve", role.hash);
    expect(await store.workflowHash("solve")).toBe(role.hash);
  });

  it("names nothing that is missing", async () => {
    const registering = rig().store.registerWorkflow("solve", text("missing").hash);

    await expect(registering).rejects.toMatchObject({ code: "node-missing" });
  });
};

const deliveriesContract = (rig: () => Rig): void => {
  const delivery = (id: string, receivedAt: number) => ({
    id,
    forge: "github",
    event: "issues",
    body: `{"id":"${id}"}`,
    receivedAt,
  });

  it("keeps a delivery once", async () => {
    const { store } = rig();

    expect(await store.addDelivery(delivery("a", 1))).toBe(true);
    expect(await store.addDelivery({ ...delivery("a", 2), body: "{}" })).toBe(false);
    expect(await store.delivery("a")).toEqual(delivery("a", 1));
    expect(await store.delivery("b")).toBeUndefined();
  });

  it("lists what is not yet handled, oldest first", async () => {
    const { store } = rig();
    for (const [id, at] of [
      ["c", 3],
      ["a", 1],
      ["b", 2],
      ["d", 4],
    ] as const)
      await store.addDelivery(delivery(id, at));

    await store.finishDelivery("b");
    await store.finishDelivery("b");
    await store.finishDelivery("unknown");

    expect((await store.pendingDeliveries(2)).map(({ id }) => id)).toEqual(["a", "c"]);
    expect((await store.pendingDeliveries(9)).map(({ id }) => id)).toEqual(["a", "c", "d"]);
    expect(await store.addDelivery(delivery("b", 9))).toBe(false);
  });
};

const linksContract = (rig: () => Rig): void => {
  it("keeps one value for each kind", async () => {
    const { record } = await created(rig().store);

    await rig().store.setLink(record.id, "comment", "1");
    await rig().store.setLink(record.id, "branch", "uwf/issue-1");
    await rig().store.setLink(record.id, "comment", "2");

    expect(await rig().store.link(record.id, "comment")).toBe("2");
    expect(await rig().store.link(record.id, "branch")).toBe("uwf/issue-1");
    expect(await rig().store.link(record.id, "check")).toBeUndefined();
  });

  it("links nothing to a thread that is gone", async () => {
    const linking = rig().store.setLink(newThreadId(), "comment", "1");

    await expect(linking).rejects.toMatchObject({ code: "thread-missing" });
  });
};
