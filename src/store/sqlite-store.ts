import { admissionStore } from "./sqlite/admission.ts";
import { chainStore } from "./sqlite/chains.ts";
import { collectStore } from "./sqlite/collect.ts";
import { type Connection, openConnection } from "./sqlite/connection.ts";
import { deliveryStore } from "./sqlite/deliveries.ts";
import { forgetStore } from "./sqlite/forget.ts";
import { leaseStore } from "./sqlite/leases.ts";
import { linkStore } from "./sqlite/links.ts";
import { nodeStore } from "./sqlite/nodes.ts";
import { registryStore } from "./sqlite/registry.ts";
import { reservationStore } from "./sqlite/reservations.ts";
import { sessionStore } from "./sqlite/sessions.ts";
import { threadStore } from "./sqlite/threads.ts";
import { allNodes, walkFrom } from "./sqlite/walk.ts";
import type { Damage, Store } from "./store.ts";

export type SqliteStoreOptions = {
  /** The database file; it and its directory are created, for their owner alone, when they are missing. */
  path: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds to wait for other processes' writes before `store-busy`. */
  busyMs?: number;
};

/**
 * The store in one SQLite file, which several processes may use at once. Opens it at once: throws an `AppError`
 * (`store-unreachable`, `store-readonly`, `store-corrupt`, `store-too-new`) that names the path when it cannot.
 */
export const sqliteStore = ({ path, now = Date.now, busyMs = 10_000 }: SqliteStoreOptions): Store => {
  const connection = openConnection({ path, limitMs: busyMs });
  return {
    ...nodeStore(connection, now),
    ...collectStore({ path, limitMs: busyMs }, now),
    ...chainStore(connection),
    ...threadStore(connection, now),
    ...admissionStore(connection, now),
    ...linkStore(connection, now),
    ...leaseStore(connection, now),
    ...registryStore(connection),
    ...deliveryStore(connection, now),
    ...forgetStore(connection, now),
    ...reservationStore(connection, now),
    ...sessionStore(connection, now),
    walk: (hash) => walkFrom(connection, hash),
    allNodes: () => allNodes(connection),
    verify: () => verify(connection),
    check: () => connection.read((sql) => void sql.one("SELECT 1")),
    close: async () => connection.close(),
  };
};

/** Checking alone needs the payloads' schemas, whose import would triple the time in which a command opens the store. */
async function* verify(connection: Connection): AsyncGenerator<Damage> {
  const { verifyAll } = await import("./sqlite/verify.ts");
  yield* verifyAll(connection);
}
