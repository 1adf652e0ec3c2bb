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
  `
  /* Workflow files that the designer writes or begins with. A node may be collected: no foreign key. */
  CREATE TABLE workflows (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    dry_run TEXT CHECK (dry_run IS NULL OR json_valid(dry_run)),
    node TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idx_workflows_user ON workflows(user_id, updated_at DESC);
  CREATE INDEX idx_workflows_updated ON workflows(updated_at);

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL DEFAULT 'create' CHECK (action_type IN ('create', 'edit', 'copy')),
    source_workflow_id TEXT REFERENCES workflows(id) ON DELETE SET NULL,
    agent_stage TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idx_sessions_action_type ON sessions(action_type);
  CREATE INDEX idx_sessions_source_workflow ON sessions(source_workflow_id);
  CREATE INDEX idx_sessions_user ON sessions(user_id, updated_at DESC);
  CREATE INDEX idx_sessions_updated ON sessions(updated_at);

  CREATE TABLE workflow_agent_states (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN (
      'clarification', 'negotiation', 'gap_analysis', 'alternative_generation', 'workflow_generation',
      'debug', 'completed', 'error'
    )),
    conversations TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(conversations)),
    intent_summary TEXT DEFAULT '',
    gaps TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(gaps)),
    alternatives TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(alternatives)),
    workflow_id TEXT REFERENCES workflows(id) ON DELETE SET NULL,
    debug_loop_count INTEGER DEFAULT 0,
    clarification_context TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(clarification_context)),
    workflow_context TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(workflow_context)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT unique_session_state UNIQUE (session_id),
    CONSTRAINT valid_debug_count CHECK (debug_loop_count >= 0)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idx_agent_states_session ON workflow_agent_states(session_id);
  CREATE INDEX idx_agent_states_user ON workflow_agent_states(user_id);
  CREATE INDEX idx_agent_states_stage ON workflow_agent_states(stage);
  CREATE INDEX idx_agent_states_updated ON workflow_agent_states(updated_at DESC);
  CREATE INDEX idx_agent_states_workflow_id ON workflow_agent_states(workflow_id);
  `,
  `
  ALTER TABLE delivery ADD COLUMN installation TEXT NOT NULL DEFAULT '';
  /* Who has asked for something by it, and when that was counted. */
  ALTER TABLE delivery ADD COLUMN person TEXT;
  ALTER TABLE delivery ADD COLUMN heard_at INTEGER;
  CREATE INDEX delivery_line ON delivery(installation, received_at) WHERE finished_at IS NULL;
  CREATE INDEX delivery_heard ON delivery(person, heard_at) WHERE person IS NOT NULL;
  `,
];
