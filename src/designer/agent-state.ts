import { z } from "zod";
import { stages } from "./stages.ts";

/** Milliseconds since the epoch. */
const time = z.int().nonnegative();
const texts = z.record(z.string(), z.string());

/** Characters that one entry of a conversation may have. */
const MAX_TEXT = 200_000;
export const MAX_CONVERSATIONS = 2_000;

export const Conversation = z.object({
  role: z.enum(["user", "assistant", "system"]),
  text: z.string().max(MAX_TEXT).default(""),
  timestamp: time.default(0),
  metadata: texts.default({}),
});
export type Conversation = z.output<typeof Conversation>;

export const ClarificationQuestion = z.object({
  id: z.string().min(1).max(64),
  question: z.string().min(1).max(2_000),
  category: z.enum(["input", "output", "trigger", "logic"]),
  is_required: z.boolean().default(true),
  options: z.array(z.string().min(1).max(500)).max(12).default([]),
});
export type ClarificationQuestion = z.output<typeof ClarificationQuestion>;

export const AlternativeOption = z.object({
  id: z.string().min(1).max(64),
  title: z.string().min(1).max(200),
  description: z.string().min(1).max(4_000),
  approach: z.string().min(1).max(4_000),
  trade_offs: z.array(z.string().min(1).max(1_000)).max(12).default([]),
  complexity: z.enum(["simple", "medium", "complex"]),
});
export type AlternativeOption = z.output<typeof AlternativeOption>;

export const origins = ["create", "edit", "copy"] as const;
const origin = z.enum(origins);

export const ClarificationContext = z.object({
  purpose: z.enum(["initial_intent", "template_modification", "gap_resolution"]).default("initial_intent"),
  collected_info: texts.default({}),
  pending_questions: z.array(z.string()).default([]),
  origin: origin.default("create"),
});
export type ClarificationContext = z.output<typeof ClarificationContext>;

export const WorkflowContext = z.object({
  origin: origin.default("create"),
  /** The row in `workflows` that is edited or copied; empty: none. */
  source_workflow_id: z.union([z.uuid(), z.literal("")]).default(""),
  /** What the person wants changed, where that was said when the session was made. */
  modification_intent: z.string().max(MAX_TEXT).default(""),
});
export type WorkflowContext = z.output<typeof WorkflowContext>;

/** All that is known of a conversation: it comes in with each request and goes out with each response. */
export const AgentState = z.object({
  session_id: z.uuid(),
  user_id: z.uuid(),
  stage: z.enum(stages).default("clarification"),
  conversations: z.array(Conversation).max(MAX_CONVERSATIONS).default([]),
  intent_summary: z.string().max(MAX_TEXT).default(""),
  gaps: z.array(z.string().max(MAX_TEXT)).max(100).default([]),
  alternatives: z.array(AlternativeOption).max(20).default([]),
  /** The row in `workflows` that has the file; empty: none yet. */
  workflow_id: z.union([z.uuid(), z.literal("")]).default(""),
  debug_loop_count: z.int().nonnegative().default(0),
  clarification_context: ClarificationContext.prefault({}),
  workflow_context: WorkflowContext.prefault({}),
  created_at: time.default(0),
  updated_at: time.default(0),
});
export type AgentState = z.output<typeof AgentState>;
