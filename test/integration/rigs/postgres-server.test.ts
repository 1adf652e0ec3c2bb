import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isRunning } from "../../fixtures/is-running.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // A server that ends tells its clients; the test looks at the server.
  client.on("error", () => undefined);
  clients.push(client);
  return client;
};

const oneValue = async (client: pg.Client, sql: string): Promise<unknown> => {
  const { rows } = await client.query<Record<string, unknown>>(sql);
  return Object.values(rows[0] ?? {})[0];
};

describe.skipIf(!postgresIsHere())("postgresServer", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer({ settings: { max_connections: "20" } });
  });
  afterAll(() => server.dispose());

  it("lets nobody in without the password", async () => {
    const url = new URL(server.url);
    url.password = "wrong";

    await expect(connected(url.href)).rejects.toThrow("password authentication failed");
    expect(await oneValue(await connected(server.url), "SELECT current_user")).toBe("uwf");
  });

  it("has the settings that were asked for, and waits for no disk", async () => {
    const client = await connected(server.url);

    expect(await oneValue(client, "SHOW max_connections")).toBe("20");
    expect(await oneValue(client, "SHOW fsync")).toBe("off");
    expect(await oneValue(client, "SHOW server_encoding")).toBe("UTF8");
  });

  it("makes empty databases that know nothing of each other", async () => {
    const [one, other] = [await server.database(), await server.database()];
    await (await connected(one)).query("CREATE TABLE mine (n int)");

    const count = await oneValue(
      await connected(other),
      "SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'",
    );

    expect(one).not.toBe(other);
    expect(count).toBe(0);
  });

  it.each([
    ["a fast stop", (it: PostgresServer) => it.stop("fast")],
    ["an immediate stop", (it: PostgresServer) => it.stop("immediate")],
    ["a kill", (it: PostgresServer) => it.kill()],
  ])("has every commit, and nothing else, again after %s", async (_, end) => {
    const url = await server.database();
    const client = await connected(url);
    await client.query("CREATE TABLE kept (n int)");
    for (let n = 0; n < 50; n++) await client.query("INSERT INTO kept VALUES ($1)", [n]);
    await client.query("BEGIN; INSERT INTO kept VALUES (1000)");
    const worker = Number(await oneValue(client, "SELECT pg_backend_pid()"));
    const before = server.pid;

    await end(server);
    const left = [before, worker].filter(isRunning);
    await expect(connected(url)).rejects.toThrow("ECONNREFUSED");
    await server.start();

    expect(left).toEqual([]);
    expect(await oneValue(await connected(url), "SELECT count(*)::int FROM kept")).toBe(50);
  });
});

describe.skipIf(!postgresIsHere())("a durable postgresServer", () => {
  it("writes to the disk before it acknowledges", async () => {
    const server = await postgresServer({ disk: "durable" });
    try {
      expect(await oneValue(await connected(server.url), "SHOW fsync")).toBe("on");
    } finally {
      await server.dispose();
    }
    expect(isRunning(server.pid)).toBe(false);
  });
});
