import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processHolder } from "../../../src/base/process-holder.ts";
import { type CopyCounts, copyStore } from "../../../src/store/copy.ts";
import { makeNode } from "../../../src/store/node.ts";
import { type Store, type ThreadRecord, threadLease } from "../../../src/store/store.ts";
import { messageFixture, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { storeWorld, worldCounts } from "../../fixtures/stored-world.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

let source: TemporaryStore;
let target: TemporaryStore;
let records: ThreadRecord[];
beforeEach(async () => {
  source = temporaryStore();
  target = temporaryStore();
  records = await storeWorld(source.store);
});
afterEach(async () => {
  await source.dispose();
  await target.dispose();
});

const copy = (to: Store = target.store, from: Store = source.store): Promise<CopyCounts> =>
  copyStore({ from: { store: from, name: "the old one" }, to: { store: to, name: "the new one" } });

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const contents = async (store: Store) => ({
  nodes: new Map((await all(store.allNodes())).map((node) => [node.hash, node])),
  threads: await all(store.allThreads()),
  links: await Promise.all(records.map(({ id }) => store.links(id))),
  workflows: await store.workflows(),
  reservations: await all(store.allReservations()),
  sessions: (await all(store.allSessions())).map(({ createdAt: _, updatedAt: __, ...session }) => session),
  states: await Promise.all(
    (await all(store.allSessions())).map(({ id, userId }) => store.agentState(id, userId)),
  ),
  designs: (await all(store.allDesigns())).map(({ createdAt: _, updatedAt: __, ...design }) => design),
  deliveries: new Map((await all(store.allDeliveries())).map((delivery) => [delivery.id, delivery])),
});

/** Fails at one write and at all after it, as a process that is killed there. */
const dying = (store: Store, writesLeft: number): Store => {
  let left = writesLeft;
  const counted =
    <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      left-- > 0 ? write(...args) : Promise.reject(new Error("killed"));
  return {
    ...store,
    put: counted(store.put),
    createThread: counted(store.createThread),
    setLink: counted(store.setLink),
    registerWorkflow: counted(store.registerWorkflow),
    addDeliveries: counted(store.addDeliveries),
    reserve: counted(store.reserve),
    createSession: counted(store.createSession),
    saveAgentState: counted(store.saveAgentState),
    saveDesign: counted(store.saveDesign),
  };
};

describe("copying a store", () => {
  it.each(["as they came", "backwards"])("brings a workflow of several roles, its refs %s", async (order) => {
    const { nodes, role } = threadFixture();
    const preparer = makeNode("role", { ...role.payload, name: "preparer" });
    const roles = { preparer: preparer.hash, developer: role.hash };
    const workflow = makeNode("workflow", { name: "two", description: "", roles, moderator: [] });
    const refs = order === "backwards" ? workflow.refs.toReversed() : workflow.refs;
    await source.store.put([...nodes, preparer, { ...workflow, refs }]);

    await copy();

    expect((await contents(target.store)).nodes.has(workflow.hash)).toBe(true);
  });

  it("brings everything, and the copy goes on where the source was", async () => {
    const counts = await copy();

    expect(counts).toEqual(worldCounts());
    expect(await contents(target.store)).toEqual(await contents(source.store));
    const turn = messageFixture(records[0]?.tip ?? null, "one more");
    const moved = await target.store.advance(records[0]?.id as never, {}, { tip: turn.hash }, [turn]);
    expect(await target.store.turns(moved?.tip as never)).toHaveLength(451);
  });

  it("brings nothing twice", async () => {
    await copy();

    expect(await copy()).toEqual(worldCounts());
    expect(await contents(target.store)).toEqual(await contents(source.store));
  });

  it("copies an empty store", async () => {
    const empty = temporaryStore();

    expect(await copy(target.store, empty.store)).toEqual({
      nodes: 0,
      threads: 0,
      links: 0,
      workflows: 0,
      deliveries: 0,
      reservations: 0,
      sessions: 0,
      designs: 0,
    });
    await empty.dispose();
  });

  it("is finished by the next one, wherever it was cut off", async () => {
    const expected = await contents(source.store);
    let cuts = 0;
    for (let writes = 0; ; writes++) {
      const fresh = temporaryStore();
      const first = await copy(dying(fresh.store, writes)).catch((error: Error) => error.message);
      if (first === "killed") {
        cuts++;
        expect(await copy(fresh.store)).toEqual(worldCounts());
        expect(await contents(fresh.store)).toEqual(expected);
      } else expect(first).toEqual(worldCounts());
      await fresh.dispose();
      if (first !== "killed") break;
    }

    // Three batches of nodes, a workflow, two of deliveries, two reservations, three designs, three sessions, two conversations, three threads and three links.
    expect(cuts).toBe(22);
  });

  it("leaves an admission behind", async () => {
    const waiting = threadRecord(threadFixture(), { installation: "github/1", repository: "github/1/a/b" });
    await source.store.createThread(waiting, []);
    await source.store.beat("worker", { places: 1, ttlMs: 60_000 });
    await source.store.admit({ perRepository: 1, perInstallation: 1, total: null });
    await source.store.retire("worker");

    await copy();

    expect(await target.store.thread(waiting.id)).toEqual({ ...waiting, admitted: false });
  });
});

describe("a copy is refused", () => {
  const refusal = async (code: string, ...parts: string[]) => {
    const before = await contents(target.store);
    const failure = await copy().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    for (const part of parts) expect((failure as Error).message).toContain(part);
    expect(await contents(target.store)).toEqual(before);
  };

  it("when a node of the source is damaged", async () => {
    const { hash } = threadFixture().role;
    const database = new DatabaseSync(source.path);
    database.prepare("UPDATE node SET body = replace(body, 'Writes', 'Reads') WHERE hash = ?").run(hash);
    database.close();

    await refusal("store-damaged", hash, "the old one", "its content has the hash");
  });

  it.each(["{", "(no body)"])("when a node's body cannot be read: %s", async (body) => {
    const { hash } = threadFixture().role;
    const database = new DatabaseSync(source.path);
    database.prepare("UPDATE node SET body = ? WHERE hash = ?").run(body, hash);
    database.close();

    await refusal("store-damaged", hash, "cannot be read");
  });

  it("when the target has a node that the source has not", async () => {
    const node = makeNode("text", { encoding: "utf8", text: "only there" });
    await target.store.put([node]);

    await refusal("copy-target", node.hash, "the new one");
  });

  it("when the target has a thread, workflow or delivery that the source has not", async () => {
    const other = threadRecord(threadFixture());
    await target.store.put(threadFixture().nodes);
    const delivery = { id: "other", forge: "github", event: "issues", body: "{}", receivedAt: 1 };
    await target.store.addDeliveries([delivery]);
    await refusal("copy-target", "has delivery other");
    await source.store.addDeliveries([delivery]);
    await target.store.registerWorkflow("other", threadFixture().workflow.hash);
    await refusal("copy-target", "has workflow other");
    await source.store.registerWorkflow("other", threadFixture().workflow.hash);
    await target.store.createThread(other, []);

    await refusal("copy-target", `has thread ${other.id}`);
  });

  it("when the target has other money set aside", async () => {
    await copy();
    const id = records[0]?.id as ThreadRecord["id"];
    await target.store.settle(id, { period: "2026-11", usd: 1 });

    await refusal("copy-target", `has another reservation of thread ${id} in 2026-11`);
  });

  it("when a thread went on in the target, or has another link there", async () => {
    await copy();
    const id = records[0]?.id as ThreadRecord["id"];
    await target.store.setLink(id, "comment", "43");
    await refusal("copy-target", `has another link comment of thread ${id}`);
    await target.store.setLink(id, "comment", "42");
    await target.store.advance(id, {}, { status: "paused" });

    await refusal("copy-target", `has another thread ${id}`);
  });

  it.each(["source", "target"] as const)("while a worker lives in the %s", async (which) => {
    const { store } = which === "source" ? source : target;
    await store.beat("worker", { places: 0, ttlMs: 60_000 });

    await refusal("store-in-use", which === "source" ? "the old one" : "the new one");
    await store.retire("worker");
    expect(await copy()).toEqual(worldCounts());
  });

  it("while a thread is being run, but not for a process that has ended", async () => {
    const id = records[0]?.id as ThreadRecord["id"];
    await source.store.lease(threadLease(id), "elsewhere:1:1:x", 60_000);
    await refusal("store-in-use", id, "process 1 on elsewhere");
    await source.store.release(threadLease(id), "elsewhere:1:1:x");
    const noProcess = processHolder().replace(`:${process.pid}:`, ":99999999:");
    await source.store.lease(threadLease(id), noProcess, 60_000);

    expect(await copy()).toEqual(worldCounts());
  });

  it.each([
    {
      what: "a node is added",
      change: (store: Store) => store.put([makeNode("text", { encoding: "utf8", text: "late" })]),
    },
    {
      what: "a thread moves",
      change: (store: Store) => store.advance(records[0]?.id as never, {}, { note: "late" }),
    },
    {
      what: "a link is set",
      // The one that is copied first: the others are read later.
      change: (store: Store) =>
        store.setLink(records.map(({ id }) => id).sort()[0] as never, "reported", "late"),
    },
    {
      what: "money is used",
      change: (store: Store) => store.settle(records[0]?.id as never, { period: "2026-11", usd: 1 }),
    },
    { what: "a delivery is handled", change: (store: Store) => store.finishDelivery("delivery-0") },
  ])("at its end, when meanwhile $what", async ({ change }) => {
    const to: Store = {
      ...target.store,
      setLink: async (...args) => {
        await target.store.setLink(...args);
        await change(source.store);
      },
    };

    await expect(copy(to)).rejects.toMatchObject({ code: "copy-differs", remedy: "retry" });
  });
});
