import type { QueryConfig } from "pg";
import { bugError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { isSilence, kindOf, storeFailure, storeUnreachable } from "./failure.ts";
import { openPool, type Taken } from "./pool.ts";
import { retryLost } from "./retry.ts";
import { targetOf } from "./target.ts";

/** A statement that each connection prepares once, under its name. Tables and functions are named as in the schema uwf. */
export type Statement = { name: string; text: string };

export type Value = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

export type QueryOptions = {
  /** Milliseconds for the answer to one attempt. */
  answerMs?: number;
  /** Milliseconds after which it gives up. */
  patienceMs?: number;
};

/** Runs one statement, or with no name and no values a script. */
export type Run = <Row>(statement: string | Statement, values?: readonly Value[]) => Promise<Row[]>;

export type Connection = {
  /** For people. */
  name: string;
  schema: string;
  /**
   * Runs a statement, which is a transaction of its own, and again while the database cannot be reached. `values` is told
   * whether an attempt before may have been done. Throws as `retryLost`.
   */
  query<Row>(
    statement: Statement,
    values?: readonly Value[] | ((again: boolean) => readonly Value[]),
    options?: QueryOptions,
  ): Promise<Row[]>;
  /** Runs `work` on one connection, and all of it again while the database cannot be reached. */
  session<T>(work: (run: Run) => Promise<T>, options: { answerMs: number }): Promise<T>;
  /** What `read` finds in the data as they are now, whatever is written meanwhile. Holds one connection until its end. */
  snapshot<T>(read: (run: Run) => AsyncGenerator<T>): AsyncGenerator<T>;
  close(): Promise<void>;
};

export type ConnectionOptions = {
  url: string;
  schema: string;
  log: Log;
  maxConnections: number;
  /** Milliseconds without an answer after which a connection is given up. */
  answerMs: number;
  patienceMs: number;
};

/** Connections to one database, opened when they are needed. */
export const openConnection = async (options: ConnectionOptions): Promise<Connection> => {
  const { schema, log, answerMs, patienceMs } = options;
  // A statement that waits for a lock ends before its connection is given up: it is not done late.
  const { name, connectionString } = targetOf(options.url, { lockMs: Math.ceil(answerMs * 0.8) });
  const { default: pg } = await import("pg");
  const pool = await openPool({
    connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: answerMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    allowExitOnIdle: true,
    fallback_application_name: "uwf",
    types: {
      // Ids and times are far below 2^53.
      getTypeParser: (oid, format) =>
        Number(oid) === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  const closing = new AbortController();
  const prefix = `"${schema}".`;

  /** Uses one connection, which no failure leaves as it was. */
  const use = async <T>(work: (taken: Taken) => Promise<T>): Promise<T> => {
    const taken = await pool.take();
    try {
      const result = await work(taken);
      taken.giveBack();
      return result;
    } catch (error) {
      if (isSilence(error)) taken.abandon();
      else taken.discard();
      throw error;
    }
  };
  const runOn =
    ({ client }: Taken, limitMs: number): Run =>
    async <Row>(statement: string | Statement, values?: readonly Value[]) => {
      const named = typeof statement === "string" ? { text: statement } : statement;
      const size = values?.reduce<number>((sum, value) => sum + sizeOf(value), 0) ?? 0;
      const query: QueryConfig & { query_timeout: number } = {
        ...named,
        text: named.text.replaceAll("uwf.", prefix),
        // A large body over a slow line is not silence.
        query_timeout: limitMs + size / 1_000,
      };
      if (values !== undefined) query.values = [...values];
      return (await client.query(query)).rows as Row[];
    };
  const retry = async <T>(work: () => Promise<T>, ms: number): Promise<T> => {
    try {
      return await retryLost(
        () => {
          closing.signal.throwIfAborted();
          return work();
        },
        { name, patienceMs: ms, log, signal: closing.signal },
      );
    } catch (error) {
      if (closing.signal.aborted) throw bugError(`the store ${name} was used after it was closed`, error);
      throw error;
    }
  };

  return {
    name,
    schema,
    query: (statement, values = [], own = {}) => {
      let sent = false;
      return retry(
        () =>
          use((taken) => {
            const given = typeof values === "function" ? values(sent) : values;
            sent = true;
            return runOn(taken, own.answerMs ?? answerMs)(statement, given);
          }),
        own.patienceMs ?? patienceMs,
      );
    },
    session: (work, own) => retry(() => use((taken) => work(runOn(taken, own.answerMs))), patienceMs),
    async *snapshot(read) {
      const taken = await retry(() => pool.take(), patienceMs);
      const run = runOn(taken, answerMs * 12);
      try {
        await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        yield* read(run);
      } catch (error) {
        throw kindOf(error) === "final" ? storeFailure(name, error) : storeUnreachable(name, error);
      } finally {
        // Its transaction ends with it, whether the reader read to the end or not.
        taken.discard();
      }
    },
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      await pool.close();
    },
  };
};

const sizeOf = (value: Value): number => (Buffer.isBuffer(value) ? value.length : 0);
