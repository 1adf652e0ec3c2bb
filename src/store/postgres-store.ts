import { configError } from "../base/errors.ts";
import { type Log, silentLog } from "../base/log.ts";
import { admissionStore } from "./postgres/admission.ts";
import { chainStore } from "./postgres/chains.ts";
import { collectStore } from "./postgres/collect.ts";
import { type Connection, openConnection } from "./postgres/connection.ts";
import { deliveryStore } from "./postgres/deliveries.ts";
import { forgetStore } from "./postgres/forget.ts";
import { leaseStore } from "./postgres/leases.ts";
import { linkStore } from "./postgres/links.ts";
import { nodeStore } from "./postgres/nodes.ts";
import { prepareSchema } from "./postgres/open.ts";
import { registryStore } from "./postgres/registry.ts";
import { reservationStore } from "./postgres/reservations.ts";
import { sessionStore } from "./postgres/sessions.ts";
import { threadStore } from "./postgres/threads.ts";
import { allNodes, walkFrom } from "./postgres/walk.ts";
import type { Damage, Store } from "./store.ts";

export type PostgresStoreOptions = {
  /** See `targetOf`. */
  url: string;
  /** Created when it is missing. */
  schema?: string;
  /** Milliseconds since the epoch. Default: the database's clock, which is one for all machines. */
  now?: () => number;
  log?: Log;
  /** Two or more: reading everything holds one of them. */
  maxConnections?: number;
  /** Milliseconds without an answer after which a connection is given up and another one tried. */
  answerMs?: number;
  /** Milliseconds without any answer before `store-unreachable`. */
  patienceMs?: number;
};

/** A check is for those who ask again: it does not wait until the database is back. */
const CHECK = { patienceMs: 0 };

/**
 * The store in a PostgreSQL database (15 or newer), which any number of machines may use at once. Brings its schema up to
 * date before it answers. Throws an `AppError` that names the database (`store-unreachable`, `store-too-new`,
 * `store-corrupt`) when it cannot.
 *
 * A statement whose answer was lost is repeated. One that was done is not done again: `advance` answers the record that it
 * made, `createThread` takes a thread with the same start for its own, `addDeliveries` calls a delivery new that is there
 * exactly as given.
 */
export const postgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  const { url, schema = "uwf", now, log = silentLog, maxConnections = 5 } = options;
  const { answerMs = 5_000, patienceMs = 30_000 } = options;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema))
    throw configError("schema-invalid", `"${schema}" is no name for a schema`, "Use a-z, 0-9 and _ alone.");
  const connection = await openConnection({ url, schema, log, maxConnections, answerMs, patienceMs });
  const time = () => now?.() ?? null;
  try {
    await prepareSchema(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    ...nodeStore(connection, time),
    ...collectStore(connection, time),
    ...chainStore(connection),
    ...threadStore(connection, time),
    ...admissionStore(connection, time),
    ...linkStore(connection, time),
    ...leaseStore(connection, time),
    ...registryStore(connection, time),
    ...deliveryStore(connection, time),
    ...forgetStore(connection, time),
    ...reservationStore(connection, time),
    ...sessionStore(connection, time),
    walk: (hash) => walkFrom(connection, hash),
    allNodes: () => allNodes(connection),
    verify: () => verify(connection),
    check: async () => {
      await connection.query({ name: "check", text: "SELECT 1" }, [], CHECK);
    },
    close: () => connection.close(),
  };
};

/** Checking alone needs the payloads' schemas, whose import would triple the time in which a command opens the store. */
async function* verify(connection: Connection): AsyncGenerator<Damage> {
  const { verifyAll } = await import("./postgres/verify.ts");
  yield* verifyAll(connection);
}
