import { isObject, type Json } from "../../base/json.ts";
import type {
  AgentStateRecord,
  DesignRecord,
  FoundAgentState,
  SessionRecord,
  SessionStore,
} from "../sessions.ts";
import type { Connection } from "./connection.ts";
import type { Statement } from "./run.ts";
import { storable } from "./storable.ts";

/** Milliseconds since the epoch. */
const ms = (column: string, name: string): string =>
  `(extract(epoch FROM ${column}) * 1000)::bigint AS "${name}"`;
const times = `${ms("created_at", "createdAt")}, ${ms("updated_at", "updatedAt")}`;
const moment = (value: string): string => `to_timestamp(${value} / 1000.0)`;

const columns = `id, user_id AS "userId", action_type AS "actionType", source_workflow_id AS "sourceWorkflowId",
  agent_stage AS "agentStage", ${times}`;

const selectDesign = `SELECT id, user_id AS "userId", name, source, dry_run AS "dryRun", node, ${times} FROM uwf.workflows`;

/** Files and conversations may be large. */
const PAGE = 20;
const FIRST = "00000000-0000-0000-0000-000000000000";

const statements = {
  create: {
    name: "create session",
    text: `INSERT INTO uwf.sessions (id, user_id, action_type, source_workflow_id, created_at, updated_at)
      VALUES ($1, $2, $3, $4, ${moment("uwf.clock($5)")}, ${moment("uwf.clock($5)")})
      ON CONFLICT (id) DO NOTHING`,
  },
  one: { name: "session", text: `SELECT ${columns} FROM uwf.sessions WHERE id = $1 AND user_id = $2` },
  list: {
    name: "sessions",
    text: `SELECT ${columns} FROM uwf.sessions WHERE user_id = $1 AND agent_stage IS DISTINCT FROM 'completed'
      ORDER BY sessions.updated_at DESC, id LIMIT $2`,
  },
  remove: {
    name: "remove session",
    text: "DELETE FROM uwf.sessions WHERE id = $1 AND user_id = $2 RETURNING id",
  },
  saveState: {
    name: "save agent state",
    text: `WITH touched AS (
        UPDATE uwf.sessions SET agent_stage = $3, updated_at = ${moment("uwf.clock($14)")}
        WHERE id = $1 AND user_id = $2 RETURNING id
      )
      INSERT INTO uwf.workflow_agent_states AS state (session_id, user_id, stage, conversations, intent_summary, gaps,
        alternatives, workflow_id, debug_loop_count, clarification_context, workflow_context, created_at, updated_at)
      SELECT id, $2, $3, $4::jsonb, $5, $6::jsonb, $7::jsonb, $8, $9, $10::jsonb, $11::jsonb,
        ${moment("$12::bigint")}, ${moment("$13::bigint")} FROM touched
      ON CONFLICT (session_id) DO UPDATE SET stage = excluded.stage, conversations = excluded.conversations,
        intent_summary = excluded.intent_summary, gaps = excluded.gaps, alternatives = excluded.alternatives,
        workflow_id = excluded.workflow_id, debug_loop_count = excluded.debug_loop_count,
        clarification_context = excluded.clarification_context, workflow_context = excluded.workflow_context,
        updated_at = excluded.updated_at
      RETURNING session_id`,
  },
  state: {
    name: "agent state",
    text: `SELECT session_id AS "sessionId", user_id AS "userId", stage, conversations, intent_summary AS "intentSummary",
        gaps, alternatives, workflow_id AS "workflowId", debug_loop_count AS "debugLoopCount",
        clarification_context AS "clarificationContext", workflow_context AS "workflowContext", ${times}
      FROM uwf.workflow_agent_states WHERE session_id = $1 AND user_id = $2`,
  },
  saveDesign: {
    name: "save design",
    text: `INSERT INTO uwf.workflows AS design (id, user_id, name, source, dry_run, node, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5::jsonb, $6, ${moment("uwf.clock($7)")}, ${moment("uwf.clock($7)")})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, source = excluded.source, dry_run = excluded.dry_run,
        node = excluded.node, updated_at = excluded.updated_at
      WHERE design.user_id = excluded.user_id RETURNING id`,
  },
  design: { name: "design", text: `${selectDesign} WHERE id = $1 AND user_id = $2` },
  allSessions: {
    name: "page of sessions",
    text: `SELECT ${columns} FROM uwf.sessions WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
  },
  allDesigns: { name: "page of designs", text: `${selectDesign} WHERE id > $1 ORDER BY id LIMIT ${PAGE}` },
};

export const sessionStore = (connection: Connection, time: () => number | null): SessionStore => ({
  createSession: async ({ id, userId, actionType, sourceWorkflowId }) => {
    await connection.query(statements.create, [id, userId, actionType, sourceWorkflowId, time()]);
  },
  session: async (id, userId) => (await connection.query<SessionRecord>(statements.one, [id, userId]))[0],
  activeSessions: (userId, limit) => connection.query<SessionRecord>(statements.list, [userId, limit]),
  removeSession: async (id, userId) => (await connection.query(statements.remove, [id, userId])).length > 0,
  saveAgentState: async (state) =>
    (await connection.query(statements.saveState, [...valuesOf(state), time()])).length > 0,
  agentState: async (sessionId, userId) =>
    (await connection.query<FoundAgentState>(statements.state, [sessionId, userId]))[0],
  saveDesign: async ({ id, userId, name, source, dryRun, node }) => {
    const values = [id, userId, name, storable(source), dryRun === null ? null : json(dryRun), node, time()];
    return (await connection.query(statements.saveDesign, values)).length > 0;
  },
  allSessions: () => pages<SessionRecord>(connection, statements.allSessions),
  allDesigns: () => pages<DesignRecord>(connection, statements.allDesigns),
  design: async (id, userId) => (await connection.query<DesignRecord>(statements.design, [id, userId]))[0],
});

async function* pages<Row extends { id: string }>(
  connection: Connection,
  statement: Statement,
): AsyncGenerator<Row> {
  for (let last = FIRST; ; ) {
    const rows = await connection.query<Row>(statement, [last]);
    yield* rows;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PAGE) return;
  }
}

const valuesOf = (state: AgentStateRecord) => [
  state.sessionId,
  state.userId,
  state.stage,
  json(state.conversations),
  storable(state.intentSummary),
  json(state.gaps),
  json(state.alternatives),
  state.workflowId,
  state.debugLoopCount,
  json(state.clarificationContext),
  json(state.workflowContext),
  state.createdAt,
  state.updatedAt,
];

/** Keys as well: some are a model's. */
const json = (value: Json): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string") return storable(inner);
    return isObject(inner)
      ? Object.fromEntries(Object.entries(inner).map(([key, own]) => [storable(key), own]))
      : inner;
  });
