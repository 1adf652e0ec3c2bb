import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { bugError } from "../../base/errors.ts";
import { storeFailure } from "./failure.ts";
import { openDatabase } from "./open.ts";
import { type RetryOptions, retryBusy } from "./retry.ts";

/** Prepared statements, run by their text; each is compiled once. */
export type Sql = {
  one<T>(sql: string, ...values: SQLInputValue[]): T | undefined;
  all<T>(sql: string, ...values: SQLInputValue[]): T[];
  /** The number of rows that changed, and the id of the row inserted last. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number };
};

export type Connection = {
  /** Runs a query. Only within one statement nobody can write in between. */
  read<T>(query: (sql: Sql) => T): Promise<T>;
  /** Runs `change` in one transaction; what it throws undoes it. Waits while another process writes. */
  write<T>(change: (sql: Sql) => T): Promise<T>;
  close(): void;
};

/** One connection to the database, for the whole life of a store. Throws as `openDatabase`. */
export const openConnection = (options: RetryOptions): Connection => {
  const { path } = options;
  const database = openDatabase(options);
  const sql = statementsOf(database);

  const attempt = async <T>(work: () => T): Promise<T> => {
    try {
      return await retryBusy(() => {
        if (!database.isOpen) throw bugError(`the store ${path} was used after it was closed`);
        return work();
      }, options);
    } catch (error) {
      throw storeFailure(path, error);
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
