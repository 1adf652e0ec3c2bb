import { HASH_PATTERN } from "../../renewal.ts";
import { nodeLock } from "./put-nodes.ts";

/**
 * Workflows and links point to nodes as well. As in `put_nodes`, these are renewed before: a sweep that took them for garbage
 * either was there first, or keeps them.
 */
export const pointers = `
  CREATE FUNCTION uwf.renew_hashes (hashes text[], given_time bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(${nodeLock});
    PERFORM uwf.renew_nodes(
      ARRAY(SELECT node.id FROM uwf.node WHERE node.hash = ANY (hashes)), uwf.clock(given_time)
    );
  END
  $$;

  CREATE FUNCTION uwf.register_workflow (workflow_name text, node_hash text, given_time bigint)
  RETURNS SETOF text LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM uwf.renew_hashes(ARRAY[node_hash], given_time);
    RETURN QUERY INSERT INTO uwf.workflow (name, node) SELECT workflow_name, node.hash FROM uwf.node
      WHERE node.hash = node_hash
      ON CONFLICT (name) DO UPDATE SET node = excluded.node RETURNING workflow.name;
  END
  $$;

  CREATE FUNCTION uwf.set_link (thread_id text, link_kind text, link_value text, given_time bigint)
  RETURNS SETOF text LANGUAGE plpgsql AS $$
  BEGIN
    IF link_value ~ '${HASH_PATTERN}' THEN
      PERFORM uwf.renew_hashes(
        ARRAY(SELECT (regexp_matches(link_value, '${HASH_PATTERN}', 'g'))[1]), given_time
      );
    END IF;
    RETURN QUERY INSERT INTO uwf.link (thread, kind, value) SELECT thread.id, link_kind, link_value FROM uwf.thread
      WHERE thread.id = thread_id
      ON CONFLICT (thread, kind) DO UPDATE SET value = excluded.value RETURNING link.thread;
  END
  $$;
`;
