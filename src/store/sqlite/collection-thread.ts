import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "../../base/errors.ts";
import type { Collection } from "../store.ts";
import { keepCheckpointing } from "./checkpoints.ts";
import type { CollectionAnswer, CollectionTask } from "./collect.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { IdSet } from "./id-set.ts";
import { markGarbage } from "./mark.ts";
import type { RetryOptions } from "./retry.ts";
import { type Swept, sweepNodes } from "./sweep.ts";

const MEASURED_AT_ONCE = 2_000;
/** From so many nodes on, others than this connection had to wait for the disk without a thread that does. */
const MANY = 10_000;

/**
 * A connection with a cache for the many pages that deletions touch, for as long as it takes. Its commits do not wait for the
 * disk: after a power cut nodes may be there again, for the next time.
 */
const openOwn = async (options: RetryOptions): Promise<Connection> => {
  const connection = openConnection(options);
  await connection.read((sql) => {
    sql.run("PRAGMA synchronous = NORMAL");
    sql.run("PRAGMA cache_size = -32000");
  });
  return connection;
};

const collect = async (
  connection: Connection,
  { oldBefore, dryRun, ...options }: CollectionTask,
  signal: AbortSignal,
): Promise<Omit<Collection, "ms">> => {
  const garbage = await markGarbage(connection, { oldBefore, signal });
  const count = "SELECT count(*) AS count FROM node";
  const all = await connection.read((sql) => sql.one<{ count: number }>(count)?.count ?? 0);
  const { collected, bytes } = dryRun
    ? await measure(connection, garbage, signal)
    : await sweep(connection, garbage, { ...options, oldBefore, signal });
  return { kept: all - collected, collected, bytes };
};

const sweep = async (
  connection: Connection,
  garbage: IdSet,
  { oldBefore, signal, ...options }: RetryOptions & { oldBefore: number; signal: AbortSignal },
): Promise<Swept> => {
  if (garbage.below(Number.MAX_SAFE_INTEGER, MANY).length < MANY)
    return sweepNodes(connection, garbage, { oldBefore, signal });
  await connection.read((sql) => sql.all("PRAGMA wal_autocheckpoint = 0"));
  const checkpoints = keepCheckpointing(options);
  try {
    return await sweepNodes(connection, garbage, { oldBefore, signal, between: checkpoints.caughtUp });
  } finally {
    await checkpoints.end();
  }
};

/** What a sweep would delete. */
const measure = async (connection: Connection, garbage: IdSet, signal: AbortSignal): Promise<Swept> => {
  const query = `SELECT count(*) AS collected, coalesce(sum(octet_length(body)), 0) AS bytes FROM node
    WHERE id IN (SELECT value FROM json_each(?))`;
  const all = { collected: 0, bytes: 0 };
  for (let last = Number.MAX_SAFE_INTEGER; ; ) {
    signal.throwIfAborted();
    const some = garbage.below(last, MEASURED_AT_ONCE);
    const found = await connection.read((sql) => sql.one<Swept>(query, JSON.stringify(some)));
    all.collected += found?.collected ?? 0;
    all.bytes += found?.bytes ?? 0;
    const end = some.at(-1);
    if (end === undefined) return all;
    last = end;
    await setImmediate();
  }
};

const answerTo = async (task: CollectionTask, signal: AbortSignal): Promise<CollectionAnswer> => {
  const connection = await openOwn(task);
  try {
    return { collection: await collect(connection, task, signal) };
  } catch (error) {
    if (signal.aborted) return { stopped: true };
    if (!(error instanceof AppError)) throw error;
    const { message, code, remedy, hint } = error;
    return { failure: { message, code, remedy, hint } };
  } finally {
    connection.close();
  }
};

const stopped = new AbortController();
parentPort?.once("message", () => stopped.abort());
parentPort?.postMessage(await answerTo(workerData as CollectionTask, stopped.signal));
