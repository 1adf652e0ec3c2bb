import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { bugError } from "../../base/errors.ts";
import { isBusy, storeBusy, storeFailure } from "./failure.ts";
import { openDatabase } from "./open.ts";

/** Prepared statements, run by their text; each is compiled once. */
export type Sql = {
  one<T>(sql: string, ...values: SQLInputValue[]): T | undefined;
  all<T>(sql: string, ...values: SQLInputValue[]): T[];
  /** The number of rows that changed, and the id of the row inserted last. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number };
};

export type Connection = {
  /** Runs queries that see one state, as they run without a pause between them. */
  read<T>(query: (sql: Sql) => T): Promise<T>;
  /** Runs `change` in one transaction; what it throws undoes it. Waits while another process writes. */
  write<T>(change: (sql: Sql) => T): Promise<T>;
  close(): void;
};

const waitMs = 10_000;

/**
 * One connection to the database at `path`. SQLite's own busy handler sleeps ever longer and starves under several
 * writers, so it stays off and a locked database is tried again after a short random pause.
 */
export const openConnection = (path: string): Connection => {
  const database = openDatabase(path);
  const sql = statementsOf(database);

  const attempt = async <T>(work: () => T): Promise<T> => {
    const began = performance.now();
    for (;;) {
      if (!database.isOpen) throw bugError(`the store ${path} was used after it was closed`);
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw storeFailure(path, error);
        const waited = performance.now() - began;
        if (waited > waitMs) throw storeBusy(path, waited, error);
      }
      await sleep(0.2 + Math.random() * 1.8);
    }
  };

  return {
    read: (query) => attempt(() => query(sql)),
    write: (change) => attempt(() => transaction(database, sql, change)),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
};

const transaction = <T>(database: DatabaseSync, sql: Sql, change: (sql: Sql) => T): T => {
  sql.run("BEGIN IMMEDIATE");
  try {
    const result = change(sql);
    sql.run("COMMIT");
    return result;
  } catch (error) {
    // SQLite has already rolled back by itself after some failures, such as a full disk.
    if (database.isTransaction) sql.run("ROLLBACK");
    throw error;
  }
};

const statementsOf = (database: DatabaseSync): Sql => {
  const statements = new Map<string, StatementSync>();
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return {
    one: <T>(text: string, ...values: SQLInputValue[]) => prepared(text).get(...values) as T | undefined,
    all: <T>(text: string, ...values: SQLInputValue[]) => prepared(text).all(...values) as T[],
    run: (text, ...values) => {
      const { changes, lastInsertRowid } = prepared(text).run(...values);
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
  };
};
