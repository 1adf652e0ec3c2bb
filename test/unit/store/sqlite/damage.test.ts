import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Damage } from "../../../../src/store/store.ts";
import { messageFixture, type ThreadFixture, threadFixture } from "../../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let database: DatabaseSync;
let fixture: ThreadFixture;
beforeEach(async () => {
  temporary = temporaryStore();
  fixture = threadFixture();
  await temporary.store.put(fixture.nodes);
  database = new DatabaseSync(temporary.path, { enableForeignKeyConstraints: false });
});
afterEach(async () => {
  database.close();
  await temporary.dispose();
});

const verified = async (): Promise<Damage[]> => {
  const damages: Damage[] = [];
  for await (const damage of temporary.store.verify()) damages.push(damage);
  return damages;
};

const change = (sql: string, ...values: string[]): void => {
  database.prepare(sql).run(...values);
};

describe("verify", () => {
  it("finds a body that was changed", async () => {
    const { hash } = fixture.role;
    change("UPDATE node SET body = replace(body, 'Writes', 'Reads') WHERE hash = ?", hash);

    expect(await verified()).toEqual([
      { hash, problem: expect.stringContaining("its content has the hash") },
    ]);
  });

  it.each(["'{'", "x'28b52ffd00'", '\'{"text":"\\ud800"}\''])(
    "finds a body that cannot be read: %s",
    async (body) => {
      const { hash } = fixture.role;
      change(`UPDATE node SET body = ${body} WHERE hash = ?`, hash);

      expect(await verified()).toEqual([{ hash, problem: expect.stringContaining("cannot be read") }]);
    },
  );

  it("finds a node that is gone, by those that refer to it", async () => {
    change("DELETE FROM node WHERE hash = ?", fixture.agent.hash);

    const problem = `it refers to ${fixture.agent.hash}, which is missing`;
    expect(await verified()).toEqual([{ hash: fixture.start.hash, problem }]);
  });

  it("finds an edge that is gone", async () => {
    change("DELETE FROM edge WHERE dst = (SELECT id FROM node WHERE hash = ?)", fixture.role.hash);

    const problem = `its edge to ${fixture.role.hash} is missing`;
    expect(await verified()).toEqual([{ hash: fixture.workflow.hash, problem }]);
  });

  it("finds a type that it does not know", async () => {
    change("UPDATE node SET type = 'poem' WHERE hash = ?", fixture.role.hash);

    expect(await verified()).toEqual([{ hash: fixture.role.hash, problem: "its type poem is unknown" }]);
  });

  it("looks at every node of many", async () => {
    const turns = Array.from({ length: 450 }, (_, n) => messageFixture(null, `turn ${n}`));
    await temporary.store.put(turns);
    change("UPDATE node SET body = '{}' WHERE type = 'turn'");

    expect(new Set((await verified()).map(({ hash }) => hash))).toEqual(
      new Set(turns.map(({ hash }) => hash)),
    );
  });
});

it("renews a node's age when it is put again, once a minute", async () => {
  let time = 1_000;
  const aged = temporaryStore({ now: () => time });
  const node = messageFixture(null, "put twice");
  await aged.store.put([node]);

  const rows = new DatabaseSync(aged.path);
  const renewedAt = () => rows.prepare("SELECT renewed_at FROM node").get();
  time = 61_000;
  await aged.store.put([node]);
  expect(renewedAt()).toMatchObject({ renewed_at: 1_000 });
  time = 61_001;
  await aged.store.put([node]);

  expect(renewedAt()).toMatchObject({ renewed_at: 61_001 });
  rows.close();
  await aged.dispose();
});
