import type { Hash } from "../base/ids.ts";
import type { Json } from "../base/json.ts";

/** What a conversation with the designer is for. */
export type ActionType = "create" | "edit" | "copy";

/** A conversation with the designer. Ids are UUIDs. */
export type SessionRecord = {
  id: string;
  /** Whose it is: nobody else gets to see it. */
  userId: string;
  actionType: ActionType;
  /** The design that is edited or copied. */
  sourceWorkflowId: string | null;
  /** Where it stands; null until something was said. */
  agentStage: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
};

/** All that is known of a conversation, by the columns that it is kept in. */
export type AgentStateRecord = {
  sessionId: string;
  userId: string;
  stage: string;
  conversations: Json;
  intentSummary: string;
  gaps: Json;
  alternatives: Json;
  /** The design that the conversation makes. */
  workflowId: string | null;
  debugLoopCount: number;
  clarificationContext: Json;
  workflowContext: Json;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
};

/** As it was found, for whoever checks it; undefined stands for a column that holds no JSON. */
export type FoundAgentState = Readonly<Record<keyof AgentStateRecord, unknown>>;

/** A workflow file that the designer writes, or that it was given to begin with. */
export type DesignRecord = {
  id: string;
  userId: string;
  name: string;
  /** The file. */
  source: string;
  /** What its checks have found; null: they have not run. */
  dryRun: Json | null;
  /** The `workflow` node that it became; null: a draft. It may be collected once the registry names another. */
  node: Hash | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
};

/** Conversations with the designer. What is somebody else's is answered as if it were not there. */
export interface SessionStore {
  /** One that is there already stays as it is. */
  createSession(session: Omit<SessionRecord, "agentStage" | "createdAt" | "updatedAt">): Promise<void>;
  session(id: string, userId: string): Promise<SessionRecord | undefined>;
  /** Those that have not come to their end; what changed last comes first. */
  activeSessions(userId: string, limit: number): Promise<SessionRecord[]>;
  /** With its state; answers whether there was one. */
  removeSession(id: string, userId: string): Promise<boolean>;
  /** The state and its session's stage, in one transaction; answers false, and writes nothing, when there is no such session. */
  saveAgentState(state: AgentStateRecord): Promise<boolean>;
  agentState(sessionId: string, userId: string): Promise<FoundAgentState | undefined>;
  /** Makes it or, when it is the same person's, changes it; answers false, and writes nothing, when it is somebody else's. */
  saveDesign(design: Omit<DesignRecord, "createdAt" | "updatedAt">): Promise<boolean>;
  design(id: string, userId: string): Promise<DesignRecord | undefined>;
  /** For copying: everybody's. */
  allSessions(): AsyncIterable<SessionRecord>;
  allDesigns(): AsyncIterable<DesignRecord>;
}
