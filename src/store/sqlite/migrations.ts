/**
 * The schema, one entry per version; `PRAGMA user_version` says how many have run. Entries are never edited once
 * released, only added.
 *
 * `node.prev` is the step, turn or start before this one and `node.output` a step's output, so that a chain is one
 * recursive query; both are edges as well. A body is JSON text, or a blob when it is compressed. A node has a greater id
 * than all that it refers to, and no id is used twice.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE node (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    prev INTEGER,
    output INTEGER,
    renewed_at INTEGER NOT NULL,
    body ANY NOT NULL
  ) STRICT;
  CREATE INDEX node_renewed ON node(renewed_at);

  CREATE TABLE edge (
    src INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    dst INTEGER NOT NULL REFERENCES node(id),
    PRIMARY KEY (src, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX edge_dst ON edge(dst);

  CREATE TABLE thread (
    id TEXT PRIMARY KEY,
    workflow TEXT NOT NULL,
    title TEXT NOT NULL,
    subject TEXT,
    start INTEGER NOT NULL REFERENCES node(id),
    head INTEGER NOT NULL REFERENCES node(id),
    tip INTEGER REFERENCES node(id),
    begun TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    note TEXT,
    granted_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX thread_subject ON thread(subject, created_at) WHERE subject IS NOT NULL;
  CREATE INDEX thread_status ON thread(status, created_at);
  CREATE INDEX thread_created ON thread(created_at, id);
  CREATE INDEX thread_start ON thread(start);
  CREATE INDEX thread_head ON thread(head);
  CREATE INDEX thread_tip ON thread(tip);

  CREATE TABLE lease (
    key TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE workflow (
    name TEXT PRIMARY KEY,
    node INTEGER NOT NULL REFERENCES node(id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX workflow_node ON workflow(node);

  CREATE TABLE delivery (
    id TEXT PRIMARY KEY,
    forge TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX delivery_pending ON delivery(received_at) WHERE finished_at IS NULL;

  CREATE TABLE link (
    thread TEXT NOT NULL REFERENCES thread(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (thread, kind)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE thread ADD COLUMN installation TEXT;
  ALTER TABLE thread ADD COLUMN repository TEXT;
  ALTER TABLE thread ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE thread ADD COLUMN admitted INTEGER NOT NULL DEFAULT 0;
  /* When it was admitted last; kept, so that it shows when an installation was served. */
  ALTER TABLE thread ADD COLUMN admitted_at INTEGER;
  UPDATE thread SET
    installation = substr(subject, 1, instr(subject, '/') + instr(substr(subject, instr(subject, '/') + 1), '/') - 1),
    repository = substr(subject, 1, instr(subject, '#') - 1)
  WHERE subject LIKE '%/%/%/%#%';
  CREATE INDEX thread_waiting ON thread(repository, created_at, id)
    WHERE status = 'queued' AND admitted = 0 AND installation IS NOT NULL;
  CREATE INDEX thread_taken ON thread(installation, repository)
    WHERE installation IS NOT NULL AND (status = 'running' OR admitted = 1);
  CREATE INDEX thread_served ON thread(installation, admitted_at) WHERE installation IS NOT NULL;

  CREATE TABLE worker (
    id TEXT PRIMARY KEY,
    places INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE INDEX thread_installation ON thread(installation, created_at) WHERE installation IS NOT NULL;
  CREATE INDEX thread_repository ON thread(repository, created_at) WHERE repository IS NOT NULL;
  CREATE INDEX link_value ON link(kind, value);

  /* What a thread has used is not given back with its removal. Amounts are millionths of a US dollar. */
  CREATE TABLE reservation (
    thread TEXT NOT NULL,
    period TEXT NOT NULL,
    account TEXT NOT NULL,
    amount INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (thread, period, account)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reservation_account ON reservation(account, period, amount);
  CREATE INDEX reservation_changed ON reservation(changed_at);
  `,
];
