import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import type { Damage, Store } from "../../../src/store/store.ts";
import { all } from "../../contracts/store/rig.ts";
import { messageFixture, type ThreadFixture, threadFixture } from "../../fixtures/nodes.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

describe.skipIf(!postgresIsHere())("the nodes of a PostgreSQL store", () => {
  let server: PostgresServer;
  let store: Store;
  let database: pg.Client;
  let fixture: ThreadFixture;
  let time: number;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    time = 1_000_000;
    const url = await server.database();
    store = await postgresStore({ url, now: () => time });
    fixture = threadFixture();
    await store.put(fixture.nodes);
    database = new pg.Client({ connectionString: url, options: "-c search_path=uwf" });
    await database.connect();
  });
  afterEach(async () => {
    await database.end();
    await store.close();
  });

  const verified = () => all<Damage>(store.verify());

  it("show a body that was changed", async () => {
    const { hash } = fixture.role;
    await database.query("UPDATE node SET body = replace(body, 'Writes', 'Reads') WHERE hash = $1", [hash]);

    expect(await verified()).toEqual([
      { hash, problem: expect.stringContaining("its content has the hash") },
    ]);
  });

  it.each(["body = '{'", "body = NULL, packed = '\\x28b52ffd00'", `body = '{"text":"\\ud800"}'`])(
    "show a body that cannot be read: %s",
    async (change) => {
      const { hash } = fixture.role;
      await database.query(`UPDATE node SET ${change} WHERE hash = $1`, [hash]);

      expect(await verified()).toEqual([{ hash, problem: expect.stringContaining("cannot be read") }]);
    },
  );

  it("show one that is gone, by those that refer to it", async () => {
    await database.query("DELETE FROM node WHERE hash = $1", [fixture.agent.hash]);

    const problem = `it refers to ${fixture.agent.hash}, which is missing`;
    expect(await verified()).toEqual([{ hash: fixture.start.hash, problem }]);
  });

  it("show a ref that is gone", async () => {
    const remove =
      "UPDATE node SET refs = array_remove(refs, (SELECT id FROM node WHERE hash = $1)) WHERE hash = $2";
    await database.query(remove, [fixture.role.hash, fixture.workflow.hash]);

    const problem = `its edge to ${fixture.role.hash} is missing`;
    expect(await verified()).toEqual([{ hash: fixture.workflow.hash, problem }]);
  });

  it("show a type that is unknown", async () => {
    await database.query("UPDATE node SET type = 'poem' WHERE hash = $1", [fixture.role.hash]);

    expect(await verified()).toEqual([{ hash: fixture.role.hash, problem: "its type poem is unknown" }]);
  });

  it("are all looked at", async () => {
    const turns = Array.from({ length: 450 }, (_, n) => messageFixture(null, `turn ${n}`));
    await store.put(turns);
    await database.query("UPDATE node SET body = '{}' WHERE type = 'turn'");

    expect(new Set((await verified()).map(({ hash }) => hash))).toEqual(
      new Set(turns.map(({ hash }) => hash)),
    );
  });

  it("get younger when they are put again, to a minute", async () => {
    const ages = async () => {
      const { rows } = await database.query<{ renewed_at: string }>(
        "SELECT DISTINCT renewed_at FROM node ORDER BY 1",
      );
      return rows.map((row) => Number(row.renewed_at));
    };

    time += 60_000;
    await store.put(fixture.nodes);
    expect(await ages()).toEqual([1_000_000]);
    time += 1;
    await store.put(fixture.nodes.slice(0, 1));
    expect(await ages()).toEqual([1_000_000, 1_060_001]);
  });
});
