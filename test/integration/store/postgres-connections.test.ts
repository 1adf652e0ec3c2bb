import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Log } from "../../../src/base/log.ts";
import { silentLog } from "../../../src/base/log.ts";
import { makeNode } from "../../../src/store/node.ts";
import { type PostgresStoreOptions, postgresStore } from "../../../src/store/postgres-store.ts";
import { type Store, threadLease } from "../../../src/store/store.ts";
import { all } from "../../contracts/store/rig.ts";
import { messageFixture, stepFixture, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";
import { type TcpProxy, tcpProxy } from "../../rigs/tcp-proxy.ts";

describe.skipIf(!postgresIsHere())("a PostgreSQL store behind a network", () => {
  let server: PostgresServer;
  let proxy: TcpProxy;
  let direct: Store;
  let store: Store;
  let said: string[];
  let options: PostgresStoreOptions;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    const url = await server.database();
    proxy = await tcpProxy(server.url);
    said = [];
    const hear = (_: object, message: string) => void said.push(message);
    const log: Log = { ...silentLog, info: hear, warn: hear };
    options = { url: proxy.url(url), log, answerMs: 1_000 };
    direct = await postgresStore({ url });
    store = await postgresStore(options);
  });
  afterEach(async () => {
    await proxy.pass();
    await store.close();
    await direct.close();
    await proxy.close();
  });

  const created = async () => {
    const fixture = threadFixture();
    const record = threadRecord(fixture);
    await direct.createThread(record, fixture.nodes);
    return { fixture, record };
  };
  /** Lets the next answer to the statement go nowhere: what it did is done, and its connection is gone. */
  const loseAnswerTo = (statement: string): void => {
    const seen = new Set<number>();
    const remove = proxy.onData((direction, chunk, { id, destroy }) => {
      if (direction === "to-server" && chunk.includes(statement)) seen.add(id);
      if (direction !== "to-client" || !seen.has(id)) return;
      remove();
      destroy();
    });
  };

  it("goes on after all of its connections were cut, and says so", async () => {
    const { record } = await created();
    await Promise.all([store.thread(record.id), store.thread(record.id), store.thread(record.id)]);

    await proxy.cut();
    const reading = store.thread(record.id);
    await expect.poll(() => said).toEqual(["the store does not answer; trying again"]);
    await proxy.pass();

    expect(await reading).toEqual(record);
    expect(said.at(-1)).toBe("the store answers again");
  });

  it("reads an answer that takes long to come, as long as it comes", async () => {
    const text = randomBytes(1024 * 1024).toString("base64");
    const node = makeNode("text", { text, encoding: "utf8" });
    await direct.put([node]);
    await proxy.slow(100);

    const read = await store.load("text", node.hash);

    expect(read.text).toBe(text);
    expect(said).toEqual([]);
  });

  it("is not disturbed when connections are cut that nobody uses", async () => {
    const { record } = await created();
    await store.thread(record.id);

    await proxy.cut();
    await proxy.pass();
    await setTimeout(100);

    expect(await store.thread(record.id)).toEqual(record);
  });

  it("notices silence, and reads on another connection", async () => {
    const { record } = await created();
    await Promise.all(Array.from({ length: 5 }, () => store.thread(record.id)));
    const before = proxy.connections;

    await proxy.hang();
    const reading = Promise.all(Array.from({ length: 5 }, () => store.thread(record.id)));
    await expect.poll(() => said, { timeout: 10_000 }).toContain("the store does not answer; trying again");
    await proxy.pass();

    expect(before).toBeGreaterThan(1);
    expect(await reading).toEqual(Array.from({ length: 5 }, () => record));
  });

  it("tries no other connection from before a silence", async () => {
    const { record } = await created();
    await Promise.all(Array.from({ length: 5 }, () => store.thread(record.id)));
    const before = proxy.connections;
    const fresh = new Set<number>();
    const tried = new Set<number>();
    proxy.onData(async (direction, chunk, { id }) => {
      if (direction === "to-server" && chunk.includes("user\0")) fresh.add(id);
      if (fresh.has(id)) return;
      // All others are silent from now on. One that is given up only says that it ends.
      if (direction === "to-server" && !isEnd(chunk)) tried.add(id);
      await new Promise(() => undefined);
    });

    expect(await store.thread(record.id)).toEqual(record);

    expect(before).toBeGreaterThan(1);
    expect(tried.size).toBe(1);
  });

  it("does once what was asked for in silence, also when it arrives late", async () => {
    const { fixture, record } = await created();
    await store.thread(record.id);
    const { step, nodes } = stepFixture(fixture, null);

    await proxy.hang();
    const moving = store.advance(record.id, { head: record.head }, { head: step.hash, note: "once" }, nodes);
    await expect.poll(() => said, { timeout: 10_000 }).toContain("the store does not answer; trying again");
    await proxy.pass();

    expect(await moving).toMatchObject({ head: step.hash, note: "once" });
    expect((await direct.history(step.hash)).steps).toHaveLength(1);
  });

  it("gives up when its patience is over, and says where and why", async () => {
    const { record } = await created();
    const patient = await postgresStore({ ...options, patienceMs: 1_500 });
    await proxy.cut();

    const reading = patient.thread(record.id);

    await expect(reading).rejects.toMatchObject({ code: "store-unreachable", remedy: "retry" });
    await expect(reading).rejects.toThrow(/test_\d+ on 127\.0\.0\.1:\d+ cannot be reached \(.*ECONN/);
    await expect(patient.check()).rejects.toMatchObject({ code: "store-unreachable" });
    await patient.close();
  });

  it("waits longer for a lock than for an answer", async () => {
    const { record } = await created();
    const other = new pg.Client({ connectionString: options.url });
    await other.connect();
    await other.query("BEGIN");
    await other.query("SELECT FROM uwf.thread WHERE id = $1 FOR UPDATE", [record.id]);

    const moving = store.advance(record.id, { status: "queued" }, { status: "running" });
    await setTimeout(2_500);
    await other.query("COMMIT");

    expect(await moving).toMatchObject({ status: "running" });
    await other.end();
  });

  it("can be closed while nothing answers", async () => {
    const { record } = await created();
    await proxy.hang();
    const reading = store.thread(record.id);
    reading.catch(() => undefined);

    await store.close();

    await expect(reading).rejects.toThrow("after it was closed");
  });

  describe("when the answer is lost after the commit", () => {
    it("an advance counts once, and answers the record that it made", async () => {
      const { fixture, record } = await created();
      const { step, nodes } = stepFixture(fixture, null);
      loseAnswerTo('uwf".advance');

      const change = { head: step.hash, status: "running", note: null } as const;
      const moved = await store.advance(record.id, { head: record.head, status: "queued" }, change, nodes);

      expect(said).toContain("the store does not answer; trying again");
      expect(moved).toEqual({ ...record, ...change, updatedAt: moved?.updatedAt });
      expect(await direct.thread(record.id)).toEqual(moved);
    });

    it("an advance by the lease's holder is found done although a person has paused the thread since", async () => {
      const { record } = await created();
      await direct.lease(threadLease(record.id), "me", 60_000);
      const turn = messageFixture(null, "a turn");
      const seen = new Set<number>();
      const remove = proxy.onData(async (direction, chunk, { id, destroy }) => {
        if (direction === "to-server" && chunk.includes('uwf".advance')) seen.add(id);
        if (direction !== "to-client" || !seen.has(id)) return;
        remove();
        await direct.advance(record.id, {}, { status: "paused", reason: "a person asked" });
        destroy();
      });

      const expected = { head: record.head, tip: null, holder: "me" };
      const moved = await store.advance(record.id, expected, { tip: turn.hash }, [turn]);

      expect(moved).toMatchObject({ tip: turn.hash, status: "paused" });
      expect(await direct.thread(record.id)).toEqual(moved);
    });

    it("an advance whose thread a rival has moved since is not taken for done", async () => {
      const { record } = await created();
      const seen = new Set<number>();
      const remove = proxy.onData(async (direction, chunk, { id, destroy }) => {
        if (direction === "to-server" && chunk.includes('uwf".advance')) seen.add(id);
        if (direction !== "to-client" || !seen.has(id)) return;
        remove();
        await direct.advance(record.id, { status: "paused" }, { status: "queued" });
        await direct.advance(record.id, { status: "queued" }, { status: "paused" });
        destroy();
      });

      const moved = await store.advance(record.id, { status: "queued" }, { status: "paused" });

      expect(moved).toBeUndefined();
    });

    it("a thread is created once", async () => {
      const fixture = threadFixture();
      const record = threadRecord(fixture);
      loseAnswerTo('uwf".create_thread');

      await store.createThread(record, fixture.nodes);

      expect(said).toContain("the store does not answer; trying again");
      expect(await all(direct.allThreads())).toEqual([record]);
      await expect(store.createThread(record, [])).rejects.toMatchObject({ code: "thread-exists" });
    });

    it("a delivery is new once", async () => {
      const delivery = { id: "a", forge: "github", event: "issues", body: "{}", receivedAt: 1 };
      loseAnswerTo('uwf".delivery');

      expect(await store.addDeliveries([delivery])).toEqual([true]);
      expect(said).toContain("the store does not answer; trying again");
      expect(await store.addDeliveries([delivery])).toEqual([false]);
    });
  });
});

/** The protocol's message Terminate. */
const isEnd = (chunk: Buffer): boolean => chunk.equals(Buffer.from("X\0\0\0\u0004"));
