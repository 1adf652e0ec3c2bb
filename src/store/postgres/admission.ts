import type { ThreadId } from "../../base/ids.ts";
import type { Store, StoreCounts, ThreadStatus } from "../store.ts";
import { threadStatuses } from "../store.ts";
import type { Connection } from "./connection.ts";

const statements = {
  admit: { name: "admit", text: "SELECT admit AS id FROM uwf.admit($1, $2, $3, $4)" },
  beat: {
    name: "beat",
    text: `WITH late AS (DELETE FROM uwf.worker WHERE id <> $1 AND expires_at <= uwf.clock($4))
      INSERT INTO uwf.worker (id, places, expires_at) VALUES ($1, $2, uwf.clock($4) + $3)
      ON CONFLICT (id) DO UPDATE SET places = excluded.places, expires_at = excluded.expires_at`,
  },
  retire: { name: "retire", text: "DELETE FROM uwf.worker WHERE id = $1" },
  counts: {
    name: "counts",
    text: `
      SELECT
        (SELECT coalesce(jsonb_object_agg(status, count), '{}') FROM (
          SELECT status, count(*) FROM uwf.thread GROUP BY status
        ) AS by_status) AS threads,
        (SELECT min(greatest(due_at, updated_at)) FROM uwf.thread
          WHERE status = 'queued' AND NOT admitted AND installation IS NOT NULL AND due_at <= uwf.clock($1)
        ) AS "waitingSince",
        (SELECT count(*) FROM uwf.delivery WHERE finished_at IS NULL) AS "pendingDeliveries",
        (SELECT min(received_at) FROM uwf.delivery WHERE finished_at IS NULL) AS "deliveriesSince",
        count(*) AS workers, coalesce(sum(places), 0) AS places
      FROM uwf.worker WHERE expires_at > uwf.clock($1)`,
  },
};

type CountsRow = Omit<StoreCounts, "threads"> & { threads: Partial<Record<ThreadStatus, number>> };

export const admissionStore = (
  connection: Connection,
  time: () => number | null,
): Pick<Store, "admit" | "beat" | "retire" | "counts"> => ({
  admit: async ({ perRepository, perInstallation, total }) => {
    const values = [time(), perRepository, perInstallation, total];
    const rows = await connection.query<{ id: ThreadId }>(statements.admit, values);
    return rows.map(({ id }) => id);
  },
  beat: async (worker, { places, ttlMs }) => {
    await connection.query(statements.beat, [worker, places, Math.ceil(ttlMs), time()]);
  },
  retire: async (worker) => {
    await connection.query(statements.retire, [worker]);
  },
  counts: async () => {
    const [row] = await connection.query<CountsRow>(statements.counts, [time()]);
    const none = Object.fromEntries(threadStatuses.map((status) => [status, 0])) as StoreCounts["threads"];
    if (row === undefined)
      return {
        threads: none,
        waitingSince: null,
        pendingDeliveries: 0,
        deliveriesSince: null,
        workers: 0,
        places: 0,
      };
    return { ...row, threads: { ...none, ...row.threads } };
  },
});
