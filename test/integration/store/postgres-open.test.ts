import { inspect } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { migrations } from "../../../src/store/postgres/migrations.ts";
import { type PostgresStoreOptions, postgresStore } from "../../../src/store/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { freePort } from "../../rigs/free-port.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const PASSWORD = "only-for-tests";

describe.skipIf(!postgresIsHere())("opening a PostgreSQL store", () => {
  let server: PostgresServer;
  let url: string;
  const stores: Store[] = [];
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    url = await server.database();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  const opened = async (options: Partial<PostgresStoreOptions> = {}): Promise<Store> => {
    const store = await postgresStore({ url, ...options });
    stores.push(store);
    return store;
  };
  const refusal = async (options: Partial<PostgresStoreOptions>): Promise<AppError> => {
    const error: unknown = await opened({ patienceMs: 0, ...options }).catch((thrown) => thrown);
    if (!(error instanceof AppError)) throw error;
    return error;
  };
  const sql = async (text: string, as = url): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: as });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const changed = (change: (parts: URL) => void): string => {
    const parts = new URL(url);
    change(parts);
    return parts.href;
  };

  it("finds everything again that was stored before", async () => {
    const fixture = threadFixture();
    const record = threadRecord(fixture);
    const first = await opened();
    await first.createThread(record, fixture.nodes);
    await first.close();
    await first.close();

    const second = await opened();

    expect(await second.thread(record.id)).toEqual(record);
    expect(await second.get(fixture.start.hash)).toEqual(fixture.start);
    await expect(first.thread(record.id)).rejects.toThrow("after it was closed");
  });

  it("is created once when many open it at once", async () => {
    const opening = Array.from({ length: 12 }, () => opened({ maxConnections: 1 }));

    await Promise.all(opening);

    expect(await sql("SELECT version FROM uwf.uwf_version")).toEqual([{ version: migrations.length }]);
  });

  it("keeps stores of other schemas apart", async () => {
    const fixture = threadFixture();
    const [one, other] = [await opened({ schema: "one" }), await opened({ schema: "other" })];

    await one.createThread(threadRecord(fixture), fixture.nodes);

    expect(await one.threads({ limit: 9 })).toHaveLength(1);
    expect(await other.threads({ limit: 9 })).toEqual([]);
  });

  it.each([
    [
      "a wrong password",
      (parts: URL) => (parts.password = "secret-and-wrong"),
      "password authentication failed",
    ],
    ["a user that is not there", (parts: URL) => (parts.username = "nobody"), "authentication failed"],
    ["a database that is not there", (parts: URL) => (parts.pathname = "/nowhere"), "does not exist"],
    [
      "TLS that the server does not have",
      (parts: URL) => parts.searchParams.set("sslmode", "require"),
      "SSL",
    ],
  ])("names the place, and no password, for %s", async (_, change, text) => {
    const wrong = changed(change);

    const error = await refusal({ url: wrong, patienceMs: 30_000 });

    const { pathname, port, password } = new URL(wrong);
    expect(error).toMatchObject({ code: "store-unreachable", remedy: "fix-config" });
    expect(error.message).toContain(`${pathname.slice(1)} on 127.0.0.1:${port}`);
    expect(error.message).toContain(text);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password);
  });

  it.each([
    ["port", async (parts: URL) => (parts.port = String(await freePort())), "ECONNREFUSED"],
    ["host", async (parts: URL) => (parts.hostname = "nowhere.invalid"), "nowhere.invalid"],
  ])("says that nobody answers at a wrong %s", async (_, change, text) => {
    const parts = new URL(url);
    await change(parts);

    const error = await refusal({ url: parts.href });

    expect(error).toMatchObject({ code: "store-unreachable", remedy: "retry" });
    expect(error.message).toContain(`on ${parts.host}`);
    expect(error.message).toContain(text);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PASSWORD);
  });

  it("refuses a store newer than the program, and leaves it as it is", async () => {
    await opened();
    await sql("INSERT INTO uwf.uwf_version (version) VALUES (99)");

    const error = await refusal({});

    expect(error).toMatchObject({ code: "store-too-new", remedy: "fix-config" });
    expect(error.message).toMatch(/test_\d+ on 127\.0\.0\.1:\d+ has schema version 99/);
  });

  it.each([
    "CREATE TABLE uwf.orders (id integer)",
    "CREATE TABLE uwf.uwf_version (name text)",
    "CREATE VIEW uwf.node AS SELECT 1 AS id",
  ])("refuses somebody else's schema, and leaves it as it is: %s", async (foreign) => {
    await sql(`CREATE SCHEMA uwf; ${foreign}`);

    const error = await refusal({});

    const tables = await sql("SELECT relname FROM pg_class WHERE relnamespace = 'uwf'::regnamespace");
    expect(error).toMatchObject({ code: "store-corrupt", remedy: "fix-config" });
    expect(error.message).toContain("its schema uwf holds other tables");
    expect(tables).toHaveLength(1);
  });

  it("needs no more than a schema of its own", async () => {
    const name = `owner_${Date.now()}`;
    await sql(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'; CREATE SCHEMA uwf AUTHORIZATION ${name}`);
    const fixture = threadFixture();

    const store = await opened({ url: changed((parts) => (parts.username = name)) });

    await store.createThread(threadRecord(fixture), fixture.nodes);
    expect(await store.threads({ limit: 9 })).toHaveLength(1);
  });

  it("says which right is missing", async () => {
    const name = `guest_${Date.now()}`;
    await sql(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`);

    const error = await refusal({ url: changed((parts) => (parts.username = name)), patienceMs: 30_000 });

    expect(error).toMatchObject({ code: "store-unreachable", remedy: "fix-config" });
    expect(error.message).toContain("permission denied");
    expect(error.hint).toContain("owner of the schema");
  });

  it("cannot write to a standby, and says so", async () => {
    const fixture = threadFixture();
    await opened();
    const parameters = "options=-c%20default_transaction_read_only%3Don";

    const store = await opened({ url: `${url}?${parameters}` });

    const put = store.put(fixture.nodes);
    await expect(put).rejects.toMatchObject({ code: "store-readonly", remedy: "fix-config" });
    expect(await store.threads({ limit: 9 })).toEqual([]);
  });
});
