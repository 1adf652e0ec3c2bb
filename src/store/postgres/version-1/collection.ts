import { HASH_PATTERN } from "../../renewal.ts";
import { nodeLock } from "./put-nodes.ts";

/**
 * What one collector has found to be garbage; it is worth nothing when the server was killed, or once another one marks.
 *
 * `mark` answers how many nodes there are. Who refers to a node after the data were read for it has renewed it first.
 *
 * `sweep` deletes some of the garbage, the greatest ids first: whatever refers to a node goes before it, or has kept it. Who
 * refers to nodes now waits for it, and it waits for those before, not long: behind it all others wait. What was renewed
 * since is no garbage, nor is what it leads to. `last` is the smallest id that was looked at, null at the end.
 */
export const collection = `
  CREATE UNLOGGED TABLE uwf.garbage (
    collector uuid NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (collector, id)
  );

  CREATE FUNCTION uwf.mark (for_collector uuid, old_before bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    TRUNCATE uwf.garbage;
    WITH RECURSIVE pointer (hash) AS (
      SELECT thread.start FROM uwf.thread
      UNION SELECT thread.head FROM uwf.thread
      UNION SELECT thread.tip FROM uwf.thread WHERE thread.tip IS NOT NULL
      UNION SELECT workflow.node FROM uwf.workflow
      UNION SELECT (regexp_matches(link.value, '${HASH_PATTERN}', 'g'))[1] FROM uwf.link
    ),
    live (id) AS (
      (
        SELECT node.id FROM uwf.node WHERE node.renewed_at >= old_before
        UNION ALL
        SELECT node.id FROM pointer CROSS JOIN LATERAL (
          SELECT node.id FROM uwf.node WHERE node.hash = pointer.hash LIMIT 1
        ) AS node
      )
      UNION
      SELECT ref.id FROM live CROSS JOIN LATERAL (
        SELECT node.refs FROM uwf.node WHERE node.id = live.id LIMIT 1
      ) AS node CROSS JOIN LATERAL unnest(node.refs) AS ref (id)
    )
    INSERT INTO uwf.garbage (collector, id)
    SELECT for_collector, node.id FROM uwf.node
    WHERE node.renewed_at < old_before AND NOT EXISTS (SELECT FROM live WHERE live.id = node.id);
    RETURN (SELECT count(*) FROM uwf.node);
  END
  $$;

  CREATE FUNCTION uwf.sweep (for_collector uuid, old_before bigint, below bigint, most integer)
  RETURNS TABLE (last bigint, collected bigint, bytes bigint) LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
  DECLARE
    batch bigint[];
  BEGIN
    PERFORM pg_advisory_xact_lock(${nodeLock});
    batch := ARRAY(
      SELECT garbage.id FROM uwf.garbage WHERE garbage.collector = for_collector AND garbage.id < below
      ORDER BY garbage.id DESC LIMIT most
    );
    WITH RECURSIVE kept (id) AS (
      SELECT node.id FROM uwf.node WHERE node.id = ANY (batch) AND node.renewed_at >= old_before
      UNION
      SELECT garbage.id FROM kept CROSS JOIN LATERAL (
        SELECT node.refs FROM uwf.node WHERE node.id = kept.id LIMIT 1
      ) AS node CROSS JOIN LATERAL unnest(node.refs) AS ref (id)
      JOIN uwf.garbage ON garbage.collector = for_collector AND garbage.id = ref.id
    )
    DELETE FROM uwf.garbage USING kept WHERE garbage.collector = for_collector AND garbage.id = kept.id;
    RETURN QUERY WITH gone AS (
      DELETE FROM uwf.node WHERE node.id = ANY (batch) AND EXISTS (
        SELECT FROM uwf.garbage WHERE garbage.collector = for_collector AND garbage.id = node.id
      ) RETURNING coalesce(octet_length(node.body), octet_length(node.packed)) AS size
    )
    SELECT (SELECT min(item.id) FROM unnest(batch) AS item (id)), count(*), coalesce(sum(gone.size), 0)::bigint
    FROM gone;
  END
  $$;
`;
