import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type AppError, inputError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { ActionType, AgentStateRecord, SessionRecord, SessionStore } from "../store/sessions.ts";
import { AgentState } from "./agent-state.ts";
import { soundState } from "./sound-state.ts";

/** Conversations and what is known of them. Whose they are is asked for each time: what is somebody else's is unknown. */
export interface StateManager {
  /** `workflowId`: the design that is edited or copied; it has to be the same person's. */
  createSession(session: {
    userId: string;
    action: ActionType;
    workflowId: string | null;
  }): Promise<SessionRecord>;
  /** Throws `session-unknown` (fix-input), also for one that nothing was said in for too long. */
  getSession(sessionId: string, userId: string): Promise<SessionRecord>;
  /**
   * The state; of a session in which nothing was said, the one to begin with. Damaged parts are left out and noted in the
   * conversation. Throws as `getSession`, and `session-damaged` (fix-input) when not even the conversation can be read.
   */
  getState(sessionId: string, userId: string): Promise<AgentState>;
  /** In one transaction; false, with nothing written, when there is no such session. */
  saveState(sessionId: string, state: AgentState, userId: string): Promise<boolean>;
  /** The session goes with it; false when there was none. */
  deleteState(sessionId: string, userId: string): Promise<boolean>;
  /** Those not completed, the last used first. */
  getActiveSessions(userId: string, limit: number): Promise<SessionRecord[]>;
}

const DAY_MS = 24 * 60 * 60_000;

export type StateManagerOptions = {
  now?: () => number;
  /** Milliseconds without a word after which a session is over. */
  idleMs?: number;
};

export const stateManager = (
  store: SessionStore,
  { now = Date.now, idleMs = 30 * DAY_MS }: StateManagerOptions = {},
): StateManager => {
  const getSession: StateManager["getSession"] = async (sessionId, userId) => {
    const session = areIds(sessionId, userId) ? await store.session(sessionId, userId) : undefined;
    if (session === undefined || session.updatedAt + idleMs < now()) throw unknownSession(sessionId);
    return session;
  };
  return {
    createSession: async ({ userId, action, workflowId }) => {
      const source = workflowId === null ? undefined : await designOf(store, workflowId, userId);
      if (action !== "create" && source === undefined) throw sourceNeeded(action, workflowId);
      const id = randomUUID();
      await store.createSession({ id, userId, actionType: action, sourceWorkflowId: source ?? null });
      return getSession(id, userId);
    },
    getSession,
    getState: async (sessionId, userId) => {
      const session = await getSession(sessionId, userId);
      const found = await store.agentState(sessionId, userId);
      return found === undefined ? stateToBeginWith(session) : soundState(found, { now: now() });
    },
    saveState: async (sessionId, state, userId) => {
      if (!areIds(sessionId, userId)) return false;
      return store.saveAgentState(recordOf({ ...state, session_id: sessionId, user_id: userId }));
    },
    deleteState: async (sessionId, userId) =>
      areIds(sessionId, userId) && store.removeSession(sessionId, userId),
    getActiveSessions: async (userId, limit) =>
      (await store.activeSessions(userId, limit)).filter(({ updatedAt }) => updatedAt + idleMs >= now()),
  };
};

/** The state of a session in which nothing was said. */
export const stateToBeginWith = ({
  id,
  userId,
  actionType,
  sourceWorkflowId,
  createdAt,
}: Pick<SessionRecord, "id" | "userId" | "actionType" | "sourceWorkflowId" | "createdAt">): AgentState =>
  AgentState.parse({
    session_id: id,
    user_id: userId,
    clarification_context: {
      origin: actionType,
      purpose: actionType === "create" ? "initial_intent" : "template_modification",
    },
    workflow_context: { origin: actionType, source_workflow_id: sourceWorkflowId ?? "" },
    created_at: createdAt,
    updated_at: createdAt,
  });

const areIds = (...ids: string[]): boolean => ids.every((id) => z.uuid().safeParse(id).success);

const designOf = async (store: SessionStore, id: string, userId: string): Promise<string | undefined> =>
  areIds(id) ? (await store.design(id, userId))?.id : undefined;

const recordOf = (state: AgentState): AgentStateRecord => ({
  sessionId: state.session_id,
  userId: state.user_id,
  stage: state.stage,
  conversations: state.conversations as Json,
  intentSummary: state.intent_summary,
  gaps: state.gaps,
  alternatives: state.alternatives as Json,
  workflowId: state.workflow_id || null,
  debugLoopCount: state.debug_loop_count,
  clarificationContext: state.clarification_context as Json,
  workflowContext: state.workflow_context as Json,
  createdAt: state.created_at,
  updatedAt: state.updated_at,
});

const unknownSession = (id: string): AppError =>
  inputError(
    "session-unknown",
    `there is no session ${JSON.stringify(id.slice(0, 64))}`,
    "It may have expired. Begin a new one.",
  );

const sourceNeeded = (action: ActionType, id: string | null): AppError =>
  inputError(
    "workflow-unknown",
    id === null
      ? `to ${action}, a workflow_id is needed`
      : `there is no workflow ${JSON.stringify(id.slice(0, 64))}`,
    "Name one of your own designs, or adopt an installed workflow first.",
  );
