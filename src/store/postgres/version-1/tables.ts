/**
 * A node's `prev` is the step, turn or start before it and `output` a step's output, so that a chain is one recursive
 * query; both are among its `refs`. Its JSON is `body`, or `packed` when it is compressed. A node never has a smaller id
 * than those that it refers to.
 *
 * A thread's `written_by` names the write that it was last moved by: who repeats a write finds out whether it was done.
 * Times are milliseconds since the epoch. Texts that are compared are compared byte by byte.
 */
export const tables = `
  CREATE TABLE uwf.node (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    prev bigint,
    output bigint,
    renewed_at bigint NOT NULL,
    hash text COLLATE "C" NOT NULL UNIQUE,
    type text NOT NULL,
    refs bigint[] NOT NULL,
    body text,
    packed bytea,
    CHECK (num_nonnulls(body, packed) = 1)
  ) WITH (toast_tuple_target = 4096);
  CREATE INDEX node_renewed ON uwf.node (renewed_at, id);
  /* What is worth it was compressed before it came; up to 4 kB stay in the row. */
  ALTER TABLE uwf.node ALTER body SET STORAGE EXTERNAL, ALTER packed SET STORAGE EXTERNAL;

  CREATE TABLE uwf.thread (
    id text COLLATE "C" PRIMARY KEY,
    written_by uuid NOT NULL,
    workflow text NOT NULL,
    title text NOT NULL,
    subject text COLLATE "C",
    installation text COLLATE "C",
    repository text COLLATE "C",
    start text COLLATE "C" NOT NULL,
    head text COLLATE "C" NOT NULL,
    tip text COLLATE "C",
    begun text NOT NULL,
    status text COLLATE "C" NOT NULL,
    reason text,
    note text,
    granted_at bigint NOT NULL,
    due_at bigint NOT NULL,
    admitted boolean NOT NULL DEFAULT false,
    admitted_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  ) WITH (fillfactor = 70);
  CREATE INDEX thread_subject ON uwf.thread (subject, created_at) WHERE subject IS NOT NULL;
  CREATE INDEX thread_status ON uwf.thread (status, created_at);
  CREATE INDEX thread_created ON uwf.thread (created_at, id);
  CREATE INDEX thread_waiting ON uwf.thread (repository, created_at, id)
    WHERE status = 'queued' AND NOT admitted AND installation IS NOT NULL;
  CREATE INDEX thread_taken ON uwf.thread (created_at, id)
    WHERE installation IS NOT NULL AND (status = 'running' OR admitted);
  CREATE INDEX thread_installation ON uwf.thread (installation, created_at) WHERE installation IS NOT NULL;
  CREATE INDEX thread_repository ON uwf.thread (repository, created_at) WHERE repository IS NOT NULL;
  CREATE INDEX thread_served ON uwf.thread (installation, admitted_at) WHERE admitted_at IS NOT NULL;

  CREATE TABLE uwf.lease (
    key text COLLATE "C" PRIMARY KEY,
    holder text NOT NULL,
    expires_at bigint NOT NULL
  );

  CREATE TABLE uwf.worker (
    id text COLLATE "C" PRIMARY KEY,
    places integer NOT NULL,
    expires_at bigint NOT NULL
  );

  CREATE TABLE uwf.workflow (
    name text COLLATE "C" PRIMARY KEY,
    node text COLLATE "C" NOT NULL
  );

  CREATE TABLE uwf.delivery (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    forge text NOT NULL,
    event text NOT NULL,
    body text NOT NULL,
    received_at bigint NOT NULL,
    finished_at bigint
  );
  /* Compressing them took the database three times as long as keeping them. */
  ALTER TABLE uwf.delivery ALTER body SET STORAGE EXTERNAL;
  CREATE INDEX delivery_pending ON uwf.delivery (received_at, place) WHERE finished_at IS NULL;

  CREATE TABLE uwf.link (
    thread text COLLATE "C" NOT NULL REFERENCES uwf.thread (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (thread, kind)
  );
  /* A value may be longer than an index takes. */
  CREATE INDEX link_value ON uwf.link (kind, left(value, 200));

  /* The database's clock: those of several machines differ. A time is given by tests alone. */
  CREATE FUNCTION uwf.clock (given_time bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(given_time, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  $$;
`;
