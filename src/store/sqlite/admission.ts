import type { ThreadId } from "../../base/ids.ts";
import type { Store, StoreCounts, ThreadStatus } from "../store.ts";
import { threadStatuses } from "../store.ts";
import type { Connection, Sql } from "./connection.ts";

const taken = "installation IS NOT NULL AND (status = 'running' OR admitted = 1)";
const waiting = "status = 'queued' AND admitted = 0 AND installation IS NOT NULL";

/**
 * Repositories are found by skipping along the index, not by reading every thread that waits. A candidate's place in its
 * repository and its installation counts those under way; places above the limits are left out. Whose turn comes a second
 * time in one admission has been served just now. The indices are named because the planner, which keeps no statistics,
 * prefers those that lead through every thread of a status.
 */
const admission = `
  WITH RECURSIVE
  repo (key) AS (
    SELECT MIN(repository) FROM thread INDEXED BY thread_waiting WHERE ${waiting}
    UNION ALL
    SELECT (SELECT MIN(repository) FROM thread INDEXED BY thread_waiting WHERE ${waiting} AND repository > repo.key)
    FROM repo WHERE repo.key IS NOT NULL
  ),
  candidate AS (
    SELECT thread.id, thread.installation, thread.created_at,
      ROW_NUMBER() OVER (PARTITION BY thread.repository ORDER BY thread.created_at, thread.id)
        + (SELECT COUNT(*) FROM thread AS other INDEXED BY thread_taken
            WHERE ${taken} AND other.installation = thread.installation AND other.repository = thread.repository) AS place
    FROM repo JOIN thread ON thread.id IN (
      SELECT id FROM thread INDEXED BY thread_waiting WHERE ${waiting} AND repository = repo.key AND due_at <= ?1
      ORDER BY created_at, id LIMIT ?2
    )
  ),
  ranked AS (
    SELECT id, installation, created_at,
      ROW_NUMBER() OVER (PARTITION BY installation ORDER BY created_at, id) AS turn,
      (SELECT COUNT(*) FROM thread AS other INDEXED BY thread_taken
          WHERE ${taken} AND other.installation = candidate.installation) AS under_way
    FROM candidate WHERE place <= ?2
  ),
  ordered AS (
    SELECT id, created_at, under_way + turn AS place, CASE WHEN turn > 1 THEN ?1 ELSE (
        SELECT MAX(admitted_at) FROM thread AS other INDEXED BY thread_served WHERE other.installation = ranked.installation
      ) END AS served_at
    FROM ranked WHERE under_way + turn <= ?3
  )
  UPDATE thread SET admitted = 1, admitted_at = ?1 WHERE id IN (
    SELECT id FROM ordered ORDER BY place, served_at NULLS FIRST, created_at, id LIMIT ?4
  )`;

export const admissionStore = (
  connection: Connection,
  now: () => number,
): Pick<Store, "admit" | "beat" | "retire" | "counts"> => ({
  admit: ({ perRepository, perInstallation, total }) =>
    connection.write((sql) => {
      const time = now();
      const room =
        Math.min(total ?? Number.MAX_SAFE_INTEGER, placesOf(sql, time).places) - takenOf(sql).length;
      if (room > 0) sql.run(admission, time, perRepository, perInstallation, room);
      return takenOf(sql);
    }),
  beat: (worker, { places, ttlMs }) =>
    connection.write((sql) => {
      const time = now();
      sql.run("DELETE FROM worker WHERE expires_at <= ?", time);
      const upsert = `INSERT INTO worker (id, places, expires_at) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET places = excluded.places, expires_at = excluded.expires_at`;
      sql.run(upsert, worker, places, Math.ceil(time + ttlMs));
    }),
  retire: (worker) => connection.write((sql) => void sql.run("DELETE FROM worker WHERE id = ?", worker)),
  counts: () => connection.read((sql) => countsOf(sql, now())),
});

const takenOf = (sql: Sql): ThreadId[] =>
  sql
    .all<{ id: ThreadId }>(
      `SELECT id FROM thread INDEXED BY thread_taken WHERE ${taken} ORDER BY created_at, id`,
    )
    .map(({ id }) => id);

const placesOf = (sql: Sql, time: number): { workers: number; places: number } =>
  sql.one(
    "SELECT COUNT(*) AS workers, COALESCE(SUM(places), 0) AS places FROM worker WHERE expires_at > ?",
    time,
  ) ?? {
    workers: 0,
    places: 0,
  };

const countsOf = (sql: Sql, time: number): StoreCounts => {
  const none = Object.fromEntries(threadStatuses.map((status) => [status, 0])) as Record<
    ThreadStatus,
    number
  >;
  const rows = sql.all<{ status: ThreadStatus; count: number }>(
    "SELECT status, COUNT(*) AS count FROM thread GROUP BY status",
  );
  const since = `SELECT MIN(MAX(due_at, updated_at)) AS since FROM thread INDEXED BY thread_waiting
    WHERE ${waiting} AND due_at <= ?`;
  const deliveries = sql.one<{ count: number; since: number | null }>(
    "SELECT COUNT(*) AS count, MIN(received_at) AS since FROM delivery WHERE finished_at IS NULL",
  );
  return {
    threads: { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) },
    waitingSince: sql.one<{ since: number | null }>(since, time)?.since ?? null,
    pendingDeliveries: deliveries?.count ?? 0,
    deliveriesSince: deliveries?.since ?? null,
    ...placesOf(sql, time),
  };
};
