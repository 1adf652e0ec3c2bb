import { setImmediate } from "node:timers/promises";
import { oldBefore } from "../renewal.ts";
import type { Collection, CollectOptions, Store } from "../store.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { IdSet } from "./id-set.ts";
import { markGarbage } from "./mark.ts";
import type { RetryOptions } from "./retry.ts";
import { type Swept, sweepNodes } from "./sweep.ts";

const MEASURED_AT_ONCE = 2_000;

export const collectStore = (options: RetryOptions, now: () => number): Pick<Store, "collect"> => ({
  collect: async ({ graceMs, ...asked }) => {
    const began = performance.now();
    const connection = await openOwn(options);
    try {
      const swept = await collect(connection, { ...asked, oldBefore: oldBefore(now(), graceMs) });
      return { ...swept, ms: performance.now() - began };
    } finally {
      connection.close();
    }
  },
});

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
  { oldBefore, dryRun = false, signal }: Omit<CollectOptions, "graceMs"> & { oldBefore: number },
): Promise<Omit<Collection, "ms">> => {
  const garbage = await markGarbage(connection, { oldBefore, signal });
  const count = "SELECT count(*) AS count FROM node";
  const all = await connection.read((sql) => sql.one<{ count: number }>(count)?.count ?? 0);
  const { collected, bytes } = dryRun
    ? await measure(connection, garbage, signal)
    : await sweepNodes(connection, garbage, { oldBefore, signal });
  return { kept: all - collected, collected, bytes };
};

/** What a sweep would delete. */
const measure = async (
  connection: Connection,
  garbage: IdSet,
  signal: AbortSignal | undefined,
): Promise<Swept> => {
  const query = `SELECT count(*) AS collected, coalesce(sum(octet_length(body)), 0) AS bytes FROM node
    WHERE id IN (SELECT value FROM json_each(?))`;
  const all = { collected: 0, bytes: 0 };
  for (let last = Number.MAX_SAFE_INTEGER; ; ) {
    signal?.throwIfAborted();
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
