import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configError, messageOf } from "../../base/errors.ts";
import { notAStore, storeFailure } from "./failure.ts";
import { migrations } from "./migrations.ts";
import { type RetryOptions, retryBusySync } from "./retry.ts";

/**
 * Opens the database, creating it (and its directory, for its owner alone) and bringing its schema up to
 * date where needed. Throws an `AppError` that names the path when that cannot be.
 */
export const openDatabase = (options: RetryOptions): DatabaseSync => {
  const { path } = options;
  createFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    const opened = database;
    retryBusySync(() => prepare(path, opened), options);
    return opened;
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

const prepare = (path: string, database: DatabaseSync): void => {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (versionOf(path, database) < migrations.length) migrate(path, database);
};

const versionOf = (path: string, database: DatabaseSync): number => {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version <= migrations.length) return version;
  throw configError(
    "store-too-new",
    `the store ${path} has schema version ${version}, this program knows versions up to ${migrations.length}`,
    "Run the newer uwf that wrote it, or set UWF_STORAGE_ROOT to another directory.",
  );
};

const migrate = (path: string, database: DatabaseSync): void => {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Read again under the lock: another process may have been here since.
    const version = versionOf(path, database);
    if (version === 0) refuseForeign(path, database);
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
};

/** Another program's database is not to be written into. */
const refuseForeign = (path: string, database: DatabaseSync): void => {
  if (database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) return;
  throw notAStore(path, "it holds other tables");
};
