import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../src/store/sqlite-store.ts";
import { threadFixture, threadRecord } from "../../../fixtures/nodes.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "uwf-open-"));
  path = join(directory, "root", "uwf.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const database = (change: (database: DatabaseSync) => void): void => {
  const opened = new DatabaseSync(path);
  change(opened);
  opened.close();
};

/** The first pages of a table and of its indices. */
const pagesOf = (table: string): number[] => {
  let pages: number[] = [];
  database((opened) => {
    const rows = opened.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE tbl_name = ?").all(table);
    pages = rows.map(({ page }) => Number(page));
  });
  return pages;
};

const pragma = (name: string): unknown => {
  let value: unknown;
  database((opened) => {
    value = opened.prepare(`PRAGMA ${name}`).get()?.[name];
  });
  return value;
};

const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe("opening a store", () => {
  it("creates the directory and the files for their owner alone", async () => {
    const store = sqliteStore({ path });
    await store.put(threadFixture().nodes);

    expect(mode(join(directory, "root"))).toBe("700");
    expect([path, `${path}-wal`, `${path}-shm`].map(mode)).toEqual(["600", "600", "600"]);
    await store.close();
  });

  it("leaves nothing beside the database after it was closed, and finds everything again", async () => {
    const fixture = threadFixture();
    const record = threadRecord(fixture);
    const first = sqliteStore({ path });
    await first.createThread(record, fixture.nodes);
    await first.close();
    await first.close();

    const second = sqliteStore({ path });

    expect(await second.thread(record.id)).toEqual(record);
    expect(await second.get(fixture.start.hash)).toEqual(fixture.start);
    await second.close();
    expect(pragma("journal_mode")).toBe("wal");
  });

  it("refuses a database newer than the program, and leaves it as it is", async () => {
    await sqliteStore({ path }).close();
    database((opened) => opened.exec("PRAGMA user_version = 9999"));

    expect(() => sqliteStore({ path })).toThrow(
      expect.objectContaining({
        code: "store-too-new",
        remedy: "fix-config",
        message: expect.stringMatching(/uwf\.db has schema version 9999/),
      }),
    );
    expect(pragma("user_version")).toBe(9999);
  });

  it("refuses a file that is no database", async () => {
    await sqliteStore({ path }).close();
    writeFileSync(path, "This is a letter, not a database. ".repeat(200));

    expect(() => sqliteStore({ path })).toThrow(
      expect.objectContaining({
        code: "store-corrupt",
        remedy: "fix-config",
        message: expect.stringContaining(path),
      }),
    );
  });

  it("names a file whose pages are damaged when it comes upon them", async () => {
    const first = sqliteStore({ path });
    await first.put(threadFixture().nodes);
    await first.close();
    const bytes = readFileSync(path);
    // The schema, which takes more than the first page, is read when the file is opened.
    for (const page of pagesOf("node")) bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    writeFileSync(path, bytes);
    const store = sqliteStore({ path });

    await expect(store.get(threadFixture().start.hash)).rejects.toMatchObject({
      code: "store-corrupt",
      remedy: "fix-config",
      message: expect.stringContaining(path),
    });
    await store.close();
  });

  it("refuses another program's database", async () => {
    await sqliteStore({ path }).close();
    rmSync(path);
    database((opened) => opened.exec("CREATE TABLE bookmarks (url TEXT)"));

    expect(() => sqliteStore({ path })).toThrow(
      expect.objectContaining({ code: "store-corrupt", message: expect.stringContaining("other tables") }),
    );
  });

  it("names a path that cannot be created, or is a directory", () => {
    const file = join(directory, "file");
    writeFileSync(file, "");

    expect(() => sqliteStore({ path: join(file, "uwf.db") })).toThrow(
      expect.objectContaining({
        code: "store-unreachable",
        remedy: "fix-config",
        message: expect.stringContaining(join(file, "uwf.db")),
      }),
    );
    expect(() => sqliteStore({ path: directory })).toThrow(
      expect.objectContaining({ code: "store-unreachable", message: expect.stringContaining(directory) }),
    );
  });

  it("says so when it is used after it was closed", async () => {
    const store = sqliteStore({ path });
    await store.close();

    await expect(store.workflows()).rejects.toThrow(/uwf\.db was used after it was closed/);
  });
});
