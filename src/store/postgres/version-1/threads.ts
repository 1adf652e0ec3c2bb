/**
 * Each is one statement and one transaction. The row's lock is waited for first; what is compared afterwards is the newest
 * version of the row. The lease's row is locked as well: nobody takes the lease between its check and the commit.
 *
 * `again` says that the outcome of the same write, by the same `write_id`, is unknown. It was done when the thread was last
 * moved by it; or when the holder of the lease asks, whom nobody else can stand for, and the thread is as the change says:
 * a person may have paused it since.
 */
export const threads = `
  CREATE FUNCTION create_thread (
    record jsonb, write_id uuid, again boolean,
    names text[], types text[], prev_places integer[], output_places integer[], ref_places integer[],
    ref_ends integer[], bodies bytea, body_ends integer[], are_packed boolean[], given_time bigint
  ) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    IF again AND EXISTS (
      SELECT FROM thread WHERE thread.id = record ->> 'id' AND thread.start = record ->> 'start'
    ) THEN
      RETURN;
    END IF;
    PERFORM put_nodes(
      names, types, prev_places, output_places, ref_places, ref_ends, bodies, body_ends, are_packed, given_time
    );
    INSERT INTO thread (
      id, written_by, workflow, title, subject, installation, repository, start, head, tip, begun, status, reason, note,
      granted_at, due_at, created_at, updated_at
    ) VALUES (
      record ->> 'id', write_id, record ->> 'workflow', record ->> 'title', record ->> 'subject',
      record ->> 'installation', record ->> 'repository', record ->> 'start', record ->> 'head', record ->> 'tip',
      record ->> 'begun', record ->> 'status', record ->> 'reason', record ->> 'note',
      (record ->> 'grantedAt')::bigint, (record ->> 'dueAt')::bigint, (record ->> 'createdAt')::bigint,
      (record ->> 'updatedAt')::bigint
    ) ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the thread exists' USING ERRCODE = 'UW002', DETAIL = record ->> 'id';
    END IF;
  END
  $$;

  CREATE FUNCTION advance (
    thread_id text, expected jsonb, change jsonb, write_id uuid, again boolean,
    names text[], types text[], prev_places integer[], output_places integer[], ref_places integer[],
    ref_ends integer[], bodies bytea, body_ends integer[], are_packed boolean[], given_time bigint
  ) RETURNS SETOF thread LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  DECLARE
    moving thread;
    held lease;
    at bigint;
  BEGIN
    SELECT * INTO moving FROM thread WHERE thread.id = thread_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    IF again AND moving.written_by = write_id THEN
      RETURN NEXT moving;
      RETURN;
    END IF;
    IF expected ? 'holder' THEN
      SELECT * INTO held FROM lease WHERE lease.key = 'thread/' || thread_id FOR SHARE;
      IF NOT FOUND OR held.holder <> expected ->> 'holder' OR held.expires_at <= clock(given_time) THEN
        RETURN;
      END IF;
      IF again AND (
        (NOT change ? 'head' OR moving.head = change ->> 'head')
        AND (NOT change ? 'tip' OR moving.tip IS NOT DISTINCT FROM change ->> 'tip')
        AND (NOT change ? 'begun' OR moving.begun = change ->> 'begun')
        AND (NOT change ? 'status' OR moving.status = change ->> 'status')
        AND (NOT change ? 'reason' OR moving.reason IS NOT DISTINCT FROM change ->> 'reason')
        AND (NOT change ? 'note' OR moving.note IS NOT DISTINCT FROM change ->> 'note')
        AND (NOT change ? 'grantedAt' OR moving.granted_at = (change ->> 'grantedAt')::bigint)
        AND (NOT change ? 'dueAt' OR moving.due_at = (change ->> 'dueAt')::bigint)
      ) THEN
        RETURN NEXT moving;
        RETURN;
      END IF;
    END IF;
    IF (expected ? 'head' AND moving.head <> expected ->> 'head')
      OR (expected ? 'tip' AND moving.tip IS DISTINCT FROM expected ->> 'tip')
      OR (expected ? 'status' AND moving.status <> expected ->> 'status')
    THEN
      RETURN;
    END IF;
    at := clock(given_time);
    IF cardinality(names) > 0 THEN
      PERFORM put_nodes(
        names, types, prev_places, output_places, ref_places, ref_ends, bodies, body_ends, are_packed, at
      );
    END IF;
    IF change ? 'head' THEN moving.head := change ->> 'head'; END IF;
    IF change ? 'tip' THEN moving.tip := change ->> 'tip'; END IF;
    IF change ? 'begun' THEN moving.begun := change ->> 'begun'; END IF;
    IF change ? 'reason' THEN moving.reason := change ->> 'reason'; END IF;
    IF change ? 'note' THEN moving.note := change ->> 'note'; END IF;
    IF change ? 'grantedAt' THEN moving.granted_at := (change ->> 'grantedAt')::bigint; END IF;
    IF change ? 'status' THEN
      moving.status := change ->> 'status';
      moving.admitted := false;
      moving.due_at := 0;
    END IF;
    IF change ? 'dueAt' THEN moving.due_at := (change ->> 'dueAt')::bigint; END IF;
    moving.written_by := write_id;
    moving.updated_at := at;
    UPDATE thread SET
      written_by = moving.written_by, head = moving.head, tip = moving.tip, begun = moving.begun,
      status = moving.status, reason = moving.reason, note = moving.note, granted_at = moving.granted_at,
      due_at = moving.due_at, admitted = moving.admitted, updated_at = moving.updated_at
    WHERE thread.id = thread_id;
    RETURN NEXT moving;
  END
  $$;
`;
