import { bugError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { kindOf, storeFailure, storeUnreachable } from "./failure.ts";
import { type Connections, openPool } from "./pool.ts";
import { retryLost } from "./retry.ts";
import { type Run, runOn, type Statement, using, type Value } from "./run.ts";
import { targetOf } from "./target.ts";

export type QueryOptions = {
  /** Milliseconds for the answer to one attempt. */
  answerMs?: number;
  /** Milliseconds after which it gives up. */
  patienceMs?: number;
};

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
  const { schema, answerMs } = options;
  // A statement that waits for a lock ends before its connection is given up: it is not done late.
  const { name, connectionString } = targetOf(options.url, { lockMs: Math.ceil(answerMs * 0.8) });
  const pool = await openPool({
    connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: answerMs,
  });
  const closing = new AbortController();
  const retry: Retry = async (work, own = {}) => {
    const { patienceMs = options.patienceMs } = own;
    const whileOpen = () => {
      closing.signal.throwIfAborted();
      return work();
    };
    try {
      return await retryLost(whileOpen, { name, patienceMs, log: options.log, signal: closing.signal });
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
          using(pool, (taken) => {
            const given = typeof values === "function" ? values(sent) : values;
            sent = true;
            return runOn(taken, { schema, answerMs: own.answerMs ?? answerMs })(statement, given);
          }),
        own,
      );
    },
    session: (work, own) =>
      retry(() => using(pool, (taken) => work(runOn(taken, { schema, answerMs: own.answerMs })))),
    snapshot: (read) => snapshotOf({ name, schema, pool, retry, answerMs: answerMs * 12 }, read),
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      await pool.close();
    },
  };
};

type Retry = <T>(work: () => Promise<T>, own?: QueryOptions) => Promise<T>;

type SnapshotParts = { name: string; schema: string; pool: Connections; retry: Retry; answerMs: number };

async function* snapshotOf<T>(
  { name, pool, retry, ...options }: SnapshotParts,
  read: (run: Run) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const taken = await retry(() => pool.take());
  const run = runOn(taken, options);
  try {
    await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    yield* read(run);
  } catch (error) {
    throw kindOf(error) === "final" ? storeFailure(name, error) : storeUnreachable(name, error);
  } finally {
    // Its transaction ends with it, whether the reader read to the end or not.
    taken.discard();
  }
}
