/**
 * Stores nodes, each given after those that it refers to; those that are there already get younger. `names` holds
 * their hashes and, after these, those of other nodes that must be there; the other arrays name nodes by their places in
 * it. All bodies come in one piece, which needs no quoting on its way, and are cut at `body_ends`.
 *
 * An id is drawn when all ids that the node refers to are known, so that it is the greatest of them whoever else writes.
 * When another transaction stores the same node, the insertion waits for its end, and the next statement sees it.
 * A node is renewed once a minute at most: what every thread refers to would have all of them wait for each other.
 */
export const putNodes = `
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
    known bigint[] := '{}';
    piece bytea;
    ref_begin integer := 1;
    body_begin integer := 1;
  BEGIN
    ids := ARRAY(
      SELECT (SELECT node.id FROM uwf.node WHERE node.hash = name.hash)
      FROM unnest(names) WITH ORDINALITY AS name (hash, place) ORDER BY name.place
    );
    FOR n IN count + 1 .. cardinality(names) LOOP
      IF ids[n] IS NULL THEN
        RAISE EXCEPTION 'a node is missing' USING ERRCODE = 'UW001', DETAIL = names[n];
      END IF;
    END LOOP;
    FOR n IN 1 .. count LOOP
      IF ids[n] IS NOT NULL THEN
        known[cardinality(known) + 1] := ids[n];
      ELSE
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
    IF known <> '{}' THEN
      UPDATE uwf.node SET renewed_at = at WHERE node.id IN (
        SELECT old.id FROM uwf.node AS old WHERE old.id = ANY (known) AND old.renewed_at < at - 60000
        ORDER BY old.id FOR NO KEY UPDATE
      );
    END IF;
  END
  $$;
`;
