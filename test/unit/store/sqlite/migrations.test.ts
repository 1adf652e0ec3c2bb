import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ThreadId } from "../../../../src/base/ids.ts";
import { migrations } from "../../../../src/store/sqlite/migrations.ts";
import { sqliteStore } from "../../../../src/store/sqlite-store.ts";
import type { Damage } from "../../../../src/store/store.ts";
import { fixtureTime, stepFixture, threadFixture } from "../../../fixtures/nodes.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "uwf-migrations-"));
  path = join(directory, "uwf.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const fixture = threadFixture();
const idOf = (place: number) => `01HZZZZZZZ00000000000000${place}0` as ThreadId;

/** A database of the first version, with the fixture's nodes and a thread for each subject. */
const firstVersion = (threads: readonly { subject: string | null; status: string }[]): void => {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; ${migrations[0]}; PRAGMA user_version = 1`);
  const node = database.prepare("INSERT INTO node (hash, type, renewed_at, body) VALUES (?, ?, 0, ?)");
  const edge = database.prepare(
    `INSERT INTO edge (src, position, dst)
     SELECT source.id, ?, target.id FROM node AS source, node AS target WHERE source.hash = ? AND target.hash = ?`,
  );
  for (const { hash, type, payload, refs } of fixture.nodes) {
    node.run(hash, type, JSON.stringify(payload));
    for (const [position, ref] of refs.entries()) edge.run(position, hash, ref);
  }
  const thread = database.prepare(
    `INSERT INTO thread (id, workflow, title, subject, start, head, begun, status, granted_at, created_at, updated_at)
     SELECT ?, 'one-role', 'A thread', ?, id, id, '[]', ?, 0, ?, ? FROM node WHERE hash = ?`,
  );
  for (const [place, { subject, status }] of threads.entries())
    thread.run(idOf(place), subject, status, fixtureTime + place, fixtureTime, fixture.start.hash);
  database.close();
};

it("brings threads of the first version into their lines, where they go on", async () => {
  firstVersion([
    { subject: "github/17/owner/name#12", status: "queued" },
    { subject: "github/171/a.b/c_d-e#3", status: "running" },
    { subject: null, status: "queued" },
  ]);

  const store = sqliteStore({ path });

  const lines = await Promise.all([0, 1, 2].map((place) => store.thread(idOf(place))));
  expect(lines.map((record) => [record?.installation, record?.repository, record?.dueAt])).toEqual([
    ["github/17", "github/17/owner/name", 0],
    ["github/171", "github/171/a.b/c_d-e", 0],
    [null, null, 0],
  ]);
  await store.beat("worker", { places: 9, ttlMs: 60_000 });
  expect(await store.admit({ perRepository: 1, perInstallation: 1, total: null })).toEqual([
    idOf(0),
    idOf(1),
  ]);
  await store.close();
});

it("keeps what the first version stored, and goes on from it", async () => {
  firstVersion([{ subject: "github/17/owner/name#12", status: "running" }]);
  const store = sqliteStore({ path });
  const { step, nodes } = stepFixture(fixture, null);

  const moved = await store.advance(
    idOf(0),
    { head: fixture.start.hash },
    { head: step.hash, status: "completed" },
    nodes,
  );

  expect(moved).toMatchObject({ head: step.hash, status: "completed", createdAt: fixtureTime });
  expect((await store.history(step.hash)).start).toEqual(fixture.start.payload);
  const damages: Damage[] = [];
  for await (const damage of store.verify()) damages.push(damage);
  expect(damages).toEqual([]);
  expect(await store.get(fixture.role.hash)).toEqual(fixture.role);
  await store.close();
});

it("lists and links threads of the first version, and sets money aside for them", async () => {
  firstVersion([{ subject: "github/17/owner/name#12", status: "running" }]);
  const store = sqliteStore({ path });
  const accounts = [{ account: "total", limitUsd: 3 }];

  await store.setLink(idOf(0), "pull-subject", "github/17/owner/name#13");

  expect(await store.reserve(idOf(0), { period: "2026-11", usd: 2, accounts })).toBeNull();
  expect(await store.linkedThreads("pull-subject", "github/17/owner/name#13")).toEqual([idOf(0)]);
  for (const filter of [{ repository: "github/17/owner/name" }, { installation: "github/17" }])
    expect(await store.threads({ ...filter, status: ["running"], limit: 9 })).toMatchObject([
      { id: idOf(0) },
    ]);
  await store.close();
});

it("ends with the same schema whether it was made at once or version by version", async () => {
  const schema = (): unknown[] => {
    const database = new DatabaseSync(path);
    const rows = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
    const version = database.prepare("PRAGMA user_version").all();
    database.close();
    rmSync(path);
    return [...rows, ...version];
  };
  firstVersion([]);
  await sqliteStore({ path }).close();
  const migrated = schema();

  await sqliteStore({ path }).close();

  expect(schema()).toEqual(migrated);
  expect(migrated.at(-1)).toEqual({ user_version: migrations.length });
});
