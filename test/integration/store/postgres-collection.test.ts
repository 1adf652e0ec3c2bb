import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import type { Damage, Store } from "../../../src/store/store.ts";
import { all } from "../../contracts/store/rig.ts";
import { fixtureTime, messageFixture, type ThreadFixture, threadFixture } from "../../fixtures/nodes.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const HOUR = 60 * 60_000;

describe.skipIf(!postgresIsHere())("a collection on a PostgreSQL store", () => {
  let server: PostgresServer;
  let store: Store;
  let other: pg.Client;
  let fixture: ThreadFixture;
  let time: number;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    time = fixtureTime;
    const url = await server.database();
    store = await postgresStore({ url, now: () => time });
    fixture = threadFixture();
    await store.put(fixture.nodes);
    time += 3 * HOUR;
    other = new pg.Client({ connectionString: url });
    await other.connect();
  });
  afterEach(async () => {
    await other.end();
    await store.close();
  });

  const damages = () => all<Damage>(store.verify());

  it("waits for a writer that has not committed what it refers to", async () => {
    await other.query("BEGIN");
    await other.query("SELECT uwf.register_workflow('late', $1, $2)", [fixture.workflow.hash, time]);

    const collecting = store.collect({ graceMs: HOUR });
    await setTimeout(1_200);
    await other.query("COMMIT");

    // The start and the agent, to which no workflow refers.
    expect(await collecting).toMatchObject({ collected: 2, kept: 3 });
    expect(await store.load("workflow", fixture.workflow.hash)).toEqual(fixture.workflow.payload);
    expect(await store.load("role", fixture.role.hash)).toEqual(fixture.role.payload);
    expect(await damages()).toEqual([]);
  });

  it("lets nobody refer to what it has deleted and not committed yet", async () => {
    const garbage = messageFixture(null, "garbage");
    await store.put([garbage]);
    time += 3 * HOUR;
    const collector = randomUUID();
    await other.query("SELECT uwf.mark($1, $2)", [collector, time - HOUR]);
    await other.query("BEGIN");
    await other.query("SELECT * FROM uwf.sweep($1, $2, 1000, 500)", [collector, time - HOUR]);

    const putting = store.put([messageFixture(garbage.hash, "on garbage")]);
    const refused = expect(putting).rejects.toMatchObject({ code: "node-missing" });
    await setTimeout(300);
    await other.query("COMMIT");

    await refused;
    expect(await damages()).toEqual([]);
  });

  it("that another one marks beside ends early and deletes nothing more", async () => {
    const first = randomUUID();
    await other.query("SELECT uwf.mark($1, $2)", [first, time]);
    await store.put(fixture.nodes);
    await other.query("SELECT uwf.mark($1, $2)", [randomUUID(), time + 1]);

    const { rows } = await other.query("SELECT * FROM uwf.sweep($1, $2, 1000, 500)", [first, time + HOUR]);

    expect(rows).toEqual([{ last: null, collected: "0", bytes: "0" }]);
    expect(await store.get(fixture.start.hash)).toEqual(fixture.start);
  });
});
