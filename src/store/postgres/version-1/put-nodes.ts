import { RENEWED_EACH_MS } from "../../renewal.ts";

/** Whoever refers to nodes shares this lock until the end of the transaction; a sweep has it alone. */
export const nodeLock = "hashtextextended('uwf nodes', 'uwf.node'::regclass::oid::bigint)";

/**
 * Stores nodes, each given after those that it refers to; those that are there already get younger. `names` holds
 * their hashes and, after these, those of other nodes that must be there; the other arrays name nodes by their places in
 * it. All bodies come in one piece, which needs no quoting on its way, and are cut at `body_ends`.
 *
 * An id is drawn when all ids that the node refers to are known, so that it is the greatest of them whoever else writes.
 * When another transaction stores the same node, the insertion waits for its end, and the next statement sees it.
 * What is there already, and all that is referred to, is renewed: a collector that has taken it for garbage finds out. A node is
 * renewed once a minute at most: what every thread refers to would have all of them wait for each other.
 */
export const putNodes = `
  CREATE FUNCTION uwf.renew_nodes (ids bigint[], at bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE uwf.node SET renewed_at = at WHERE node.id IN (
      SELECT known.id FROM uwf.node AS known WHERE known.id = ANY (ids) AND known.renewed_at < at - ${RENEWED_EACH_MS}
      ORDER BY known.id FOR NO KEY UPDATE
    )
  $$;

  CREATE FUNCTION uwf.put_nodes (
    names text[], types text[], prev_places integer[], output_places integer[], ref_places integer[],
    ref_ends integer[], bodies bytea, body_ends integer[], are_packed boolean[], given_time bigint
  ) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    at bigint := uwf.clock(given_time);
    count integer := cardinality(types);
    ids bigint[];
    new_id bigint;
    own_refs bigint[];
    old bigint[];
    piece bytea;
    ref_begin integer := 1;
    body_begin integer := 1;
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(${nodeLock});
    SELECT array_agg(node.id ORDER BY name.place),
      array_agg(node.id) FILTER (WHERE node.renewed_at < at - ${RENEWED_EACH_MS})
    INTO ids, old
    FROM unnest(names) WITH ORDINALITY AS name (hash, place)
    LEFT JOIN LATERAL (
      SELECT node.id, node.renewed_at FROM uwf.node WHERE node.hash = name.hash LIMIT 1
    ) AS node ON true;
    FOR n IN count + 1 .. cardinality(names) LOOP
      IF ids[n] IS NULL THEN
        RAISE EXCEPTION 'a node is missing' USING ERRCODE = 'UW001', DETAIL = names[n];
      END IF;
    END LOOP;
    FOR n IN 1 .. count LOOP
      IF ids[n] IS NULL THEN
        own_refs := '{}';
        FOR r IN ref_begin .. ref_ends[n] LOOP
          own_refs[r - ref_begin + 1] := ids[ref_places[r]];
        END LOOP;
        piece := substring(bodies FROM body_begin FOR body_ends[n] - body_begin + 1);
        INSERT INTO uwf.node (hash, type, prev, output, refs, renewed_at, body, packed)
        VALUES (
          names[n], types[n], ids[prev_places[n]], ids[output_places[n]], own_refs, at,
          CASE WHEN NOT are_packed[n] THEN convert_from(piece, 'UTF8') END,
          CASE WHEN are_packed[n] THEN piece END
        )
        ON CONFLICT (hash) DO NOTHING RETURNING node.id INTO new_id;
        IF new_id IS NULL THEN
          SELECT node.id INTO STRICT new_id FROM uwf.node WHERE node.hash = names[n];
        END IF;
        ids[n] := new_id;
      END IF;
      ref_begin := ref_ends[n] + 1;
      body_begin := body_ends[n] + 1;
    END LOOP;
    IF old IS NOT NULL THEN
      PERFORM uwf.renew_nodes(old, at);
    END IF;
  END
  $$;
`;
