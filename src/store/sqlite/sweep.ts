import { setTimeout } from "node:timers/promises";
import { BATCH_MS, FIRST_BATCH, nextBatch, PAUSE_MS } from "../sweep-batch.ts";
import type { Connection, Sql } from "./connection.ts";
import { isStillReferredTo } from "./failure.ts";
import type { IdSet } from "./id-set.ts";

type SweepOptions = {
  /** Nodes that were renewed at this time or later are kept (milliseconds since the epoch). */
  oldBefore: number;
  signal: AbortSignal;
  /** Awaited between two transactions. */
  between?: () => Promise<void>;
};

/** `bytes`: of the bodies. */
export type Swept = { collected: number; bytes: number };

/**
 * Deletes those of the nodes that were not renewed since they were marked, and that nobody refers to: the database's foreign
 * keys keep the others. The greatest ids go first, so whatever refers to a node goes before it.
 */
export const sweepNodes = async (
  connection: Connection,
  garbage: IdSet,
  { oldBefore, signal, between }: SweepOptions,
): Promise<Swept> => {
  const all = { collected: 0, bytes: 0 };
  for (let last = Number.MAX_SAFE_INTEGER, size = FIRST_BATCH; ; ) {
    signal.throwIfAborted();
    const batch = garbage.below(last, size);
    if (batch.length === 0) return all;
    let began = 0;
    const swept = await connection.write((sql) => {
      began = performance.now();
      return deleteSome(sql, batch, oldBefore);
    });
    all.collected += swept.collected;
    all.bytes += swept.bytes;
    last = swept.last;
    size = nextBatch(size, performance.now() - began);
    await setTimeout(PAUSE_MS);
    await between?.();
  }
};

/** As many as there is time for. `last`: the last one that was looked at. */
const deleteSome = (sql: Sql, ids: readonly number[], oldBefore: number): Swept & { last: number } => {
  const began = performance.now();
  const swept = { collected: 0, bytes: 0, last: 0 };
  for (const id of ids) {
    const bytes = deleteNode(sql, id, oldBefore);
    if (bytes !== null) {
      swept.collected++;
      swept.bytes += bytes;
    }
    swept.last = id;
    if (performance.now() - began > BATCH_MS) break;
  }
  return swept;
};

/** The bytes of its body; null when it stays. Its edges go with it. */
const deleteNode = (sql: Sql, id: number, oldBefore: number): number | null => {
  const remove = "DELETE FROM node WHERE id = ? AND renewed_at < ? RETURNING octet_length(body) AS bytes";
  try {
    return sql.all<{ bytes: number }>(remove, id, oldBefore)[0]?.bytes ?? null;
  } catch (error) {
    if (!isStillReferredTo(error)) throw error;
    return null;
  }
};
