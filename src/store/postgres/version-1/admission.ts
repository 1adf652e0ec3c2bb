const taken = "thread.installation IS NOT NULL AND (thread.status = 'running' OR thread.admitted)";
const waiting = "thread.status = 'queued' AND NOT thread.admitted AND thread.installation IS NOT NULL";

/**
 * One admission at a time: each statement after the lock sees what the admission before has done. Repositories are found
 * by skipping along the index, not by reading every thread that waits. A candidate's place in its repository and its
 * installation counts those under way; places above the limits are left out. Whose turn comes a second time in one
 * admission has been served just now.
 */
export const admission = `
  CREATE FUNCTION uwf.admit (given_time bigint, per_repository bigint, per_installation bigint, total bigint)
  RETURNS SETOF text LANGUAGE plpgsql AS $$
  DECLARE
    at bigint;
    room bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('uwf admission', 'uwf.thread'::regclass::oid::bigint));
    at := uwf.clock(given_time);
    SELECT least(total, coalesce(sum(worker.places), 0)) - (SELECT count(*) FROM uwf.thread WHERE ${taken})
    INTO room FROM uwf.worker WHERE worker.expires_at > at;
    IF room > 0 THEN
      WITH RECURSIVE
      repo (key) AS (
        (SELECT thread.repository FROM uwf.thread WHERE ${waiting} ORDER BY thread.repository LIMIT 1)
        UNION ALL
        SELECT (
          SELECT thread.repository FROM uwf.thread WHERE ${waiting} AND thread.repository > repo.key
          ORDER BY thread.repository LIMIT 1
        ) FROM repo WHERE repo.key IS NOT NULL
      ),
      busy AS MATERIALIZED (SELECT thread.installation, thread.repository FROM uwf.thread WHERE ${taken}),
      busy_repository AS (
        SELECT busy.installation, busy.repository, count(*) AS under_way FROM busy GROUP BY 1, 2
      ),
      busy_installation AS (SELECT busy.installation, count(*) AS under_way FROM busy GROUP BY 1),
      candidate AS (
        SELECT oldest.id, oldest.installation, oldest.created_at,
          row_number() OVER (PARTITION BY oldest.repository ORDER BY oldest.created_at, oldest.id)
            + coalesce(busy_repository.under_way, 0) AS place
        FROM repo CROSS JOIN LATERAL (
          SELECT thread.id, thread.installation, thread.repository, thread.created_at
          FROM uwf.thread WHERE ${waiting} AND thread.repository = repo.key AND thread.due_at <= at
          ORDER BY thread.created_at, thread.id LIMIT per_repository
        ) AS oldest LEFT JOIN busy_repository USING (installation, repository)
      ),
      ranked AS (
        SELECT candidate.id, candidate.installation, candidate.created_at,
          row_number() OVER (PARTITION BY candidate.installation ORDER BY candidate.created_at, candidate.id) AS turn,
          coalesce(busy_installation.under_way, 0) AS under_way
        FROM candidate LEFT JOIN busy_installation USING (installation) WHERE candidate.place <= per_repository
      ),
      ordered AS (
        SELECT ranked.id, ranked.created_at, ranked.under_way + ranked.turn AS place,
          CASE WHEN ranked.turn > 1 THEN at ELSE (
            SELECT thread.admitted_at FROM uwf.thread
            WHERE thread.installation = ranked.installation AND thread.admitted_at IS NOT NULL
            ORDER BY thread.admitted_at DESC LIMIT 1
          ) END AS served_at
        FROM ranked WHERE ranked.under_way + ranked.turn <= per_installation
      )
      UPDATE uwf.thread SET admitted = true, admitted_at = at
      WHERE thread.id IN (
        SELECT ordered.id FROM ordered
        ORDER BY ordered.place, ordered.served_at NULLS FIRST, ordered.created_at, ordered.id LIMIT room
      ) AND ${waiting};
    END IF;
    RETURN QUERY SELECT thread.id FROM uwf.thread WHERE ${taken} ORDER BY thread.created_at, thread.id;
  END
  $$;
`;
