import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { oldBefore } from "../renewal.ts";
import type { Collection, Store } from "../store.ts";
import { FIRST_BATCH, nextBatch, PAUSE_MS } from "../sweep-batch.ts";
import type { Connection } from "./connection.ts";

const statements = {
  clock: { name: "clock", text: "SELECT uwf.clock($1) AS now" },
  mark: { name: "mark", text: "SELECT uwf.mark($1, $2) AS nodes" },
  measure: {
    name: "measure garbage",
    text: `SELECT count(*) AS collected, coalesce(sum(octet_length(node.body)), 0)::bigint
        + coalesce(sum(octet_length(node.packed)), 0)::bigint AS bytes
      FROM uwf.garbage CROSS JOIN LATERAL (SELECT * FROM uwf.node WHERE node.id = garbage.id LIMIT 1) AS node
      WHERE garbage.collector = $1`,
  },
  sweep: { name: "sweep", text: "SELECT last, collected, bytes FROM uwf.sweep($1, $2, $3, $4)" },
  end: { name: "end of collection", text: "TRUNCATE uwf.garbage" },
};

/** Reading all nodes of a large store takes minutes. */
const PATIENT = { answerMs: 600_000 };

type Found = { collected: number; bytes: number };

type Sweep = { collector: string; old: number; signal: AbortSignal | undefined };

export const collectStore = (connection: Connection, time: () => number | null): Pick<Store, "collect"> => ({
  collect: async ({ graceMs, dryRun = false, signal }): Promise<Collection> => {
    const began = performance.now();
    signal?.throwIfAborted();
    const [clock] = await connection.query<{ now: number }>(statements.clock, [time()]);
    const collector = randomUUID();
    const old = oldBefore(clock?.now ?? 0, graceMs);
    const [all] = await connection.query<{ nodes: number }>(statements.mark, [collector, old], PATIENT);
    const { collected, bytes } = dryRun
      ? await measure(connection, collector)
      : await sweep(connection, { collector, old, signal });
    await connection.query(statements.end);
    return { kept: (all?.nodes ?? 0) - collected, collected, bytes, ms: performance.now() - began };
  },
});

const measure = async (connection: Connection, collector: string): Promise<Found> => {
  const [found] = await connection.query<Found>(statements.measure, [collector], PATIENT);
  return found ?? { collected: 0, bytes: 0 };
};

const sweep = async (connection: Connection, { collector, old, signal }: Sweep): Promise<Found> => {
  const all = { collected: 0, bytes: 0 };
  for (let last = Number.MAX_SAFE_INTEGER, size = FIRST_BATCH; ; ) {
    signal?.throwIfAborted();
    const began = performance.now();
    const [swept] = await connection.query<Found & { last: number | null }>(statements.sweep, [
      ...[collector, old, last, size],
    ]);
    if (swept === undefined || swept.last === null) return all;
    all.collected += swept.collected;
    all.bytes += swept.bytes;
    last = swept.last;
    size = nextBatch(size, performance.now() - began);
    await setTimeout(PAUSE_MS);
  }
};
