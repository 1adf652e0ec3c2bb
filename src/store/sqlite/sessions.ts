import type { Hash } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import type { DesignRecord, FoundAgentState, SessionRecord, SessionStore } from "../sessions.ts";
import type { Connection, Sql } from "./connection.ts";

const selectSession = `SELECT id, user_id AS userId, action_type AS actionType, source_workflow_id AS sourceWorkflowId,
  agent_stage AS agentStage, created_at AS createdAt, updated_at AS updatedAt FROM sessions`;

const selectState = `SELECT session_id AS sessionId, user_id AS userId, stage, conversations, intent_summary AS intentSummary,
  gaps, alternatives, workflow_id AS workflowId, debug_loop_count AS debugLoopCount,
  clarification_context AS clarificationContext, workflow_context AS workflowContext,
  created_at AS createdAt, updated_at AS updatedAt FROM workflow_agent_states WHERE session_id = ? AND user_id = ?`;

const selectDesign = `SELECT id, user_id AS userId, name, source, dry_run AS dryRun, node,
  created_at AS createdAt, updated_at AS updatedAt FROM workflows`;

const upsertState = `INSERT INTO workflow_agent_states (id, session_id, user_id, stage, conversations, intent_summary, gaps,
    alternatives, workflow_id, debug_loop_count, clarification_context, workflow_context, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session_id) DO UPDATE SET stage = excluded.stage, conversations = excluded.conversations,
    intent_summary = excluded.intent_summary, gaps = excluded.gaps, alternatives = excluded.alternatives,
    workflow_id = excluded.workflow_id, debug_loop_count = excluded.debug_loop_count,
    clarification_context = excluded.clarification_context, workflow_context = excluded.workflow_context,
    updated_at = excluded.updated_at`;

const upsertDesign = `INSERT INTO workflows (id, user_id, name, source, dry_run, node, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, source = excluded.source, dry_run = excluded.dry_run,
    node = excluded.node, updated_at = excluded.updated_at
  WHERE user_id = excluded.user_id`;

type StateRow = Record<keyof FoundAgentState, string>;
type DesignRow = Omit<DesignRecord, "dryRun" | "node"> & { dryRun: string | null; node: Hash | null };

export const sessionStore = (connection: Connection, now: () => number): SessionStore => ({
  createSession: ({ id, userId, actionType, sourceWorkflowId }) =>
    connection.write((sql) => {
      const insert = `INSERT INTO sessions (id, user_id, action_type, source_workflow_id, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
      sql.run(insert, id, userId, actionType, sourceWorkflowId, now(), now());
    }),
  session: (id, userId) =>
    connection.read((sql) =>
      sql.one<SessionRecord>(`${selectSession} WHERE id = ? AND user_id = ?`, id, userId),
    ),
  activeSessions: (userId, limit) =>
    connection.read((sql) =>
      sql.all<SessionRecord>(
        `${selectSession} WHERE user_id = ? AND agent_stage IS NOT 'completed' ORDER BY updated_at DESC, id LIMIT ?`,
        userId,
        limit,
      ),
    ),
  removeSession: (id, userId) =>
    connection.write(
      (sql) => sql.run("DELETE FROM sessions WHERE id = ? AND user_id = ?", id, userId).changes > 0,
    ),
  saveAgentState: (state) => connection.write((sql) => saveState(sql, state, now())),
  agentState: (sessionId, userId) =>
    connection.read((sql) => {
      const row = sql.one<StateRow>(selectState, sessionId, userId);
      return row && foundState(row);
    }),
  saveDesign: ({ id, userId, name, source, dryRun, node }) =>
    connection.write((sql) => {
      const result = dryRun === null ? null : JSON.stringify(dryRun);
      return sql.run(upsertDesign, id, userId, name, source, result, node, now(), now()).changes > 0;
    }),
  design: (id, userId) =>
    connection.read((sql) => {
      const row = sql.one<DesignRow>(`${selectDesign} WHERE id = ? AND user_id = ?`, id, userId);
      return row && designOf(row);
    }),
  allSessions: () => pages<SessionRecord>(connection, selectSession),
  allDesigns: async function* () {
    for await (const row of pages<DesignRow>(connection, selectDesign)) yield designOf(row);
  },
});

/** Files and conversations may be large. */
const PAGE = 20;

async function* pages<Row extends { id: string }>(
  connection: Connection,
  select: string,
): AsyncGenerator<Row> {
  for (let last = ""; ; ) {
    const rows = await connection.read((sql) =>
      sql.all<Row>(`${select} WHERE id > ? ORDER BY id LIMIT ${PAGE}`, last),
    );
    yield* rows;
    last = rows.at(-1)?.id ?? "";
    if (rows.length < PAGE) return;
  }
}

const designOf = (row: DesignRow): DesignRecord => ({
  ...row,
  dryRun: row.dryRun === null ? null : ((parsed(row.dryRun) as Json) ?? null),
});

const saveState = (sql: Sql, state: Parameters<SessionStore["saveAgentState"]>[0], now: number): boolean => {
  const touch = "UPDATE sessions SET agent_stage = ?, updated_at = ? WHERE id = ? AND user_id = ?";
  if (sql.run(touch, state.stage, now, state.sessionId, state.userId).changes === 0) return false;
  sql.run(
    upsertState,
    ...[crypto.randomUUID(), state.sessionId, state.userId, state.stage, JSON.stringify(state.conversations)],
    ...[state.intentSummary, JSON.stringify(state.gaps), JSON.stringify(state.alternatives)],
    ...[state.workflowId, state.debugLoopCount, JSON.stringify(state.clarificationContext)],
    ...[JSON.stringify(state.workflowContext), state.createdAt, state.updatedAt],
  );
  return true;
};

const foundState = (row: StateRow): FoundAgentState => ({
  ...row,
  conversations: parsed(row.conversations),
  gaps: parsed(row.gaps),
  alternatives: parsed(row.alternatives),
  clarificationContext: parsed(row.clarificationContext),
  workflowContext: parsed(row.workflowContext),
});

/** undefined: it is no JSON. Who reads a damaged state decides what can be kept of it. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
