/**
 * Each is one statement and one transaction. An update waits for whoever moves the thread at the moment and compares with
 * what that one leaves. The row of the lease is locked: nobody takes it between its check and the commit.
 *
 * `again` says that the outcome of the same write, by the same `write_id`, is unknown; it may be under way still, and is
 * waited for. It was done when the thread was last moved by it; or when the holder of the lease asks, whom nobody else can stand for, and the thread is as the change says:
 * a person may have paused it since.
 */
export const threads = `
  CREATE FUNCTION uwf.create_thread (
    record jsonb, write_id uuid, again boolean,
    names text[], types text[], prev_places integer[], output_places integer[], ref_places integer[],
    ref_ends integer[], bodies bytea, body_ends integer[], are_packed boolean[], given_time bigint
  ) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM uwf.put_nodes(
      names, types, prev_places, output_places, ref_places, ref_ends, bodies, body_ends, are_packed, given_time
    );
    INSERT INTO uwf.thread (
      id, written_by, workflow, title, subject, installation, repository, start, head, tip, begun, status, reason, note,
      granted_at, due_at, created_at, updated_at
    ) VALUES (
      record ->> 'id', write_id, record ->> 'workflow', record ->> 'title', record ->> 'subject',
      record ->> 'installation', record ->> 'repository', record ->> 'start', record ->> 'head', record ->> 'tip',
      record ->> 'begun', record ->> 'status', record ->> 'reason', record ->> 'note',
      (record ->> 'grantedAt')::bigint, (record ->> 'dueAt')::bigint, (record ->> 'createdAt')::bigint,
      (record ->> 'updatedAt')::bigint
    ) ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND AND NOT (again AND EXISTS (
      SELECT FROM uwf.thread WHERE thread.id = record ->> 'id' AND thread.start = record ->> 'start'
    )) THEN
      RAISE EXCEPTION 'the thread exists' USING ERRCODE = 'UW002', DETAIL = record ->> 'id';
    END IF;
  END
  $$;

  CREATE FUNCTION uwf.advance (
    thread_id text, expected jsonb, change jsonb, write_id uuid, again boolean,
    names text[], types text[], prev_places integer[], output_places integer[], ref_places integer[],
    ref_ends integer[], bodies bytea, body_ends integer[], are_packed boolean[], given_time bigint
  ) RETURNS SETOF uwf.thread LANGUAGE plpgsql AS $$
  DECLARE
    at bigint := uwf.clock(given_time);
    held uwf.lease;
    moved uwf.thread;
  BEGIN
    IF again THEN
      SELECT * INTO moved FROM uwf.thread WHERE thread.id = thread_id FOR NO KEY UPDATE;
      IF moved.written_by = write_id THEN
        RETURN NEXT moved;
        RETURN;
      END IF;
    END IF;
    IF expected ? 'holder' THEN
      SELECT * INTO held FROM uwf.lease WHERE lease.key = 'thread/' || thread_id FOR SHARE;
      IF NOT FOUND OR held.holder <> expected ->> 'holder' OR held.expires_at <= uwf.clock(given_time) THEN
        RETURN;
      END IF;
      IF again AND moved.id IS NOT NULL
        AND (NOT change ? 'head' OR moved.head = change ->> 'head')
        AND (NOT change ? 'tip' OR moved.tip IS NOT DISTINCT FROM change ->> 'tip')
        AND (NOT change ? 'begun' OR moved.begun = change ->> 'begun')
        AND (NOT change ? 'status' OR moved.status = change ->> 'status')
        AND (NOT change ? 'reason' OR moved.reason IS NOT DISTINCT FROM change ->> 'reason')
        AND (NOT change ? 'note' OR moved.note IS NOT DISTINCT FROM change ->> 'note')
        AND (NOT change ? 'grantedAt' OR moved.granted_at = (change ->> 'grantedAt')::bigint)
        AND (NOT change ? 'dueAt' OR moved.due_at = (change ->> 'dueAt')::bigint)
      THEN
        RETURN NEXT moved;
        RETURN;
      END IF;
    END IF;
    UPDATE uwf.thread SET
      written_by = write_id,
      head = CASE WHEN change ? 'head' THEN change ->> 'head' ELSE thread.head END,
      tip = CASE WHEN change ? 'tip' THEN change ->> 'tip' ELSE thread.tip END,
      begun = CASE WHEN change ? 'begun' THEN change ->> 'begun' ELSE thread.begun END,
      status = CASE WHEN change ? 'status' THEN change ->> 'status' ELSE thread.status END,
      reason = CASE WHEN change ? 'reason' THEN change ->> 'reason' ELSE thread.reason END,
      note = CASE WHEN change ? 'note' THEN change ->> 'note' ELSE thread.note END,
      granted_at = CASE WHEN change ? 'grantedAt' THEN (change ->> 'grantedAt')::bigint ELSE thread.granted_at END,
      due_at = CASE
        WHEN change ? 'dueAt' THEN (change ->> 'dueAt')::bigint
        WHEN change ? 'status' THEN 0
        ELSE thread.due_at
      END,
      admitted = thread.admitted AND NOT change ? 'status',
      updated_at = at
    WHERE thread.id = thread_id
      AND (NOT expected ? 'head' OR thread.head = expected ->> 'head')
      AND (NOT expected ? 'tip' OR thread.tip IS NOT DISTINCT FROM expected ->> 'tip')
      AND (NOT expected ? 'status' OR thread.status = expected ->> 'status')
    RETURNING * INTO moved;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    IF cardinality(names) > 0 THEN
      PERFORM uwf.put_nodes(
        names, types, prev_places, output_places, ref_places, ref_ends, bodies, body_ends, are_packed, at
      );
    END IF;
    RETURN NEXT moved;
  END
  $$;
`;
