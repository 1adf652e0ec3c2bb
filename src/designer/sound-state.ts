import { type AppError, inputError } from "../base/errors.ts";
import type { FoundAgentState } from "../store/sessions.ts";
import { AgentState, Conversation, MAX_CONVERSATIONS } from "./agent-state.ts";

/** What a conversation can go on without: asked for again, or computed again. */
const replaceable = [
  "stage",
  "intent_summary",
  "gaps",
  "alternatives",
  "workflow_id",
  "debug_loop_count",
  "clarification_context",
  "workflow_context",
  "created_at",
  "updated_at",
] as const;

/**
 * A stored state, as it is or as far as it can be read: what people said is kept, what is damaged is left out, and a note in
 * the conversation says what. Throws `session-damaged` (fix-input) when the conversation itself cannot be read.
 */
export const soundState = (found: FoundAgentState, { now }: { now: number }): AgentState => {
  const raw = fieldsOf(found);
  const whole = AgentState.safeParse(raw);
  if (whole.success) return whole.data;
  const { session_id, user_id, conversations } = raw;
  if (!Array.isArray(conversations)) throw damaged(String(session_id));
  const kept = conversations.flatMap((one) => {
    const parsed = Conversation.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  const lost: string[] = replaceable.filter(
    (field) => !AgentState.shape[field].safeParse(raw[field]).success,
  );
  if (kept.length < conversations.length) lost.push("conversations");
  const sound = Object.fromEntries(
    replaceable.flatMap((field) => (lost.includes(field) ? [] : [[field, raw[field]]])),
  );
  const note: Conversation = {
    role: "system",
    text: `A part of what was stored of this conversation was damaged and is left out: ${lost.join(", ")}.`,
    timestamp: now,
    metadata: { event: "state_recovered", lost: lost.join(",") },
  };
  const rest = kept.slice(-(MAX_CONVERSATIONS - 1));
  const state = AgentState.parse({ session_id, user_id, ...sound, conversations: [...rest, note] });
  return { ...state, stage: stageWithout(state, lost) };
};

/** The stage in which what was lost is made again. */
const stageWithout = ({ stage }: AgentState, lost: readonly string[]): AgentState["stage"] => {
  if (lost.includes("stage") || lost.includes("clarification_context") || lost.includes("intent_summary"))
    return "clarification";
  if (stage === "alternative_generation" && (lost.includes("gaps") || lost.includes("alternatives")))
    return "gap_analysis";
  return stage === "debug" && lost.includes("workflow_id") ? "workflow_generation" : stage;
};

/** What is not there is damaged: nothing stands for it by itself. */
const orNothing = (value: unknown): unknown => (value === undefined ? null : value);

const fieldsOf = (found: FoundAgentState): Record<string, unknown> => ({
  session_id: found.sessionId,
  user_id: found.userId,
  stage: found.stage,
  conversations: orNothing(found.conversations),
  intent_summary: found.intentSummary ?? "",
  gaps: orNothing(found.gaps),
  alternatives: orNothing(found.alternatives),
  workflow_id: found.workflowId ?? "",
  debug_loop_count: found.debugLoopCount ?? 0,
  clarification_context: orNothing(found.clarificationContext),
  workflow_context: orNothing(found.workflowContext),
  created_at: found.createdAt,
  updated_at: found.updatedAt,
});

const damaged = (id: string): AppError =>
  inputError(
    "session-damaged",
    `what was stored of the session ${id} cannot be read`,
    "Begin a new session; workflows that it has made are not affected.",
  );
