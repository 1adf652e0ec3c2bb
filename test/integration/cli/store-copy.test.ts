import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../../../src/store/postgres-store.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { storeWorld, worldCounts } from "../../fixtures/stored-world.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";

let home: UwfHome;
beforeEach(() => {
  home = uwfHome();
});
afterEach(() => home.dispose());

const seed = async (turns: number): Promise<void> => {
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  const store = sqliteStore({ path: join(home.root, "uwf.db") });
  await storeWorld(store, { turns });
  await store.close();
};

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** Everything in a store, and closes it. */
const contents = async (store: Store) => {
  const threads = await all(store.allThreads());
  const nodes = await all(store.allNodes());
  const deliveries = await all(store.allDeliveries());
  const reservations = await all(store.allReservations());
  const found = {
    nodes: new Map(nodes.map((node) => [node.hash, node])),
    threads: new Map(threads.map((thread) => [thread.id, thread])),
    links: new Map(await Promise.all(threads.map(async ({ id }) => [id, await store.links(id)] as const))),
    workflows: await store.workflows(),
    deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
    reservations,
  };
  await store.close();
  return found;
};

const inFile = () => contents(sqliteStore({ path: join(home.root, "uwf.db") }));

describe("uwf store copy", () => {
  it("says what is missing: a database, or which way", async () => {
    await seed(1);

    const nowhere = await home.uwf(["store", "copy", "--to", "postgres"]);
    const noWay = await home.uwf(["store", "copy"]);
    const wrongWay = await home.uwf(["store", "copy", "--to", "mysql"]);

    expect(nowhere).toMatchObject({ exitCode: 2, stdout: "" });
    expect(nowhere.stderr).toContain("error: DATABASE_URL is not set");
    expect(nowhere.stderr).toContain(`hint: Set it to postgres://user:password@host:port/database`);
    expect(noWay).toMatchObject({ exitCode: 2, stdout: "" });
    expect(noWay.stderr).toContain("option --to must be postgres or sqlite\n");
    expect(wrongWay.stderr).toContain('option --to must be postgres or sqlite, not "mysql"');
  });

  it("makes nothing where there is nothing to copy", async () => {
    const env = { DATABASE_URL: "postgres://u:secret-word@127.0.0.1:1/d" };

    const { exitCode, stderr } = await home.uwf(["store", "copy", "--to", "postgres"], { env });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: there is no store to copy: ${join(home.root, "uwf.db")} is missing`);
    expect(stderr).not.toContain("secret-word");
    expect(existsSync(home.root)).toBe(false);
  });
});

describe.skipIf(!postgresIsHere())("uwf store copy, with PostgreSQL", () => {
  let server: PostgresServer;
  let env: { DATABASE_URL: string };
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    env = { DATABASE_URL: await server.database() };
  });

  const inDatabase = async () => contents(await postgresStore({ url: env.DATABASE_URL }));
  const copied = async (to: "postgres" | "sqlite", options: { env?: typeof env } = { env }) => {
    const { exitCode, stdout, stderr } = await home.uwf(["store", "copy", "--to", to, "--json"], options);
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    return JSON.parse(stdout);
  };

  it("brings everything there and back", async () => {
    await seed(700);
    const expected = await inFile();

    const there = await copied("postgres");
    expect(there).toEqual({ from: "sqlite", to: "postgres", ...worldCounts({ turns: 700 }) });
    expect(await inDatabase()).toEqual(expected);

    home.dispose();
    home = uwfHome();
    mkdirSync(home.root, { mode: 0o700 });
    writeFileSync(join(home.root, ".env"), `DATABASE_URL=${env.DATABASE_URL}\n`);
    const back = await copied("sqlite", {});
    expect(back).toEqual({ ...there, from: "postgres", to: "sqlite" });
    expect(await inFile()).toEqual(expected);
  });

  it("says what it did, and what now holds", async () => {
    await seed(1);

    const { stdout, stderr, exitCode } = await home.uwf(["store", "copy", "--to", "postgres"], { env });

    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      "✓ Copied and read back: 9 nodes, 3 threads, 3 links, 1 workflow, 30 deliveries, 2 reservations, 3 sessions, 3 designs.\n" +
        "While DATABASE_URL is set, uwf works on the database; uwf.db stays as it was.\n",
    );
    expect(stderr.split("\n")).toEqual([
      "Checking every node.",
      "Copying nodes.",
      "Copying threads, workflows, deliveries and reserved money.",
      "Reading back.",
      "",
    ]);
  });

  it.each(["Checking", "Copying nodes", "Copying threads", "Reading back"])(
    "is finished by the next copy when it is killed while it says: %s",
    async (stage) => {
      await seed(5_000);
      const expected = await inFile();
      const running = home.start(["store", "copy", "--to", "postgres"], { env });
      await running.said(stage);
      running.kill("SIGKILL");
      const killed = await running.finished;

      // The last stage may end before the signal comes.
      if (stage !== "Reading back") expect(killed).toMatchObject({ exitCode: null, stdout: "" });
      expect(await copied("postgres")).toMatchObject(worldCounts({ turns: 5_000 }));
      expect(await inDatabase()).toEqual(expected);
      expect(await inFile()).toEqual(expected);
    },
  );

  it("refuses while a worker uses the database, and when the database went on by itself", async () => {
    await seed(1);
    const store = await postgresStore({ url: env.DATABASE_URL });
    await store.beat("worker", { places: 1, ttlMs: 600_000 });
    const busy = await home.uwf(["store", "copy", "--to", "postgres"], { env });
    await store.retire("worker");
    await copied("postgres");
    const [thread] = await store.threads({ limit: 1 });
    await store.advance(thread?.id as never, {}, { note: "went on" });
    await store.close();

    const other = await home.uwf(["store", "copy", "--to", "postgres"], { env });
    const back = await home.uwf(["store", "copy", "--to", "sqlite"], { env });

    expect(busy).toMatchObject({ exitCode: 1, stdout: "" });
    expect(busy.stderr).toContain("error: a worker uses the database that DATABASE_URL names");
    expect(other).toMatchObject({ exitCode: 2, stdout: "" });
    expect(other.stderr).toContain(`has another thread ${thread?.id}`);
    expect(back).toMatchObject({ exitCode: 2, stdout: "" });
    expect(back.stderr).toContain(`the file ${join(home.root, "uwf.db")} has another thread`);
  });
});
