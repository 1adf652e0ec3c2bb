import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configError, messageOf } from "../../base/errors.ts";
import { isBusy, storeBusy, storeFailure } from "./failure.ts";
import { migrations } from "./migrations.ts";

const waitMs = 10_000;

/**
 * Opens the database at `path`, creating it (and its directory, for its owner alone) and bringing its schema up to
 * date where needed. Throws an `AppError` that names the path when that cannot be.
 */
export const openDatabase = (path: string): DatabaseSync => {
  createFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    prepareDatabase(path, database);
    return database;
  } catch (error) {
    database?.close();
    throw storeFailure(path, error);
  }
};

/** SQLite would create the file readable by everybody, and gives its companions the mode of this one. */
const createFile = (path: string): void => {
  if (existsSync(path)) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    const hint = "Make its directory writable by this user, or set UWF_STORAGE_ROOT to another one.";
    throw configError("store-unreachable", `the store ${path} cannot be created: ${messageOf(error)}`, hint);
  }
};

const prepareDatabase = (path: string, database: DatabaseSync): void => {
  patiently(path, () => database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"));
  if (patiently(path, () => versionOf(database)) === migrations.length) return;
  patiently(path, () => migrate(path, database));
};

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);

const migrate = (path: string, database: DatabaseSync): void => {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Read again under the lock: another process may have been here since.
    const version = versionOf(database);
    if (version > migrations.length) throw tooNew(path, version);
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
};

const tooNew = (path: string, version: number) =>
  configError(
    "store-too-new",
    `the store ${path} has schema version ${version}, this program knows versions up to ${migrations.length}`,
    "Run the newer uwf that wrote it, or set UWF_STORAGE_ROOT to another directory.",
  );

/** Opening answers at once or not at all, so waiting for a lock here holds the thread for 1 ms at a time. */
const patiently = <T>(path: string, work: () => T): T => {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const began = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waited = performance.now() - began;
      if (waited > waitMs) throw storeBusy(path, waited, error);
    }
    Atomics.wait(clock, 0, 0, 0.2 + Math.random() * 1.8);
  }
};
