import { z } from "zod";
import { MAX_MESSAGE } from "../config/designer-config.ts";
import type { AlternativeOption, ClarificationQuestion } from "./agent-state.ts";
import { AgentState, WorkflowContext } from "./agent-state.ts";
import type { WorkflowStage } from "./stages.ts";

export const ConversationConfig = z.object({
  /** Messages come in pieces as they are written, and then whole. */
  enable_streaming: z.boolean().default(false),
  /** Messages of the person in the whole conversation; 0: no limit of its own. */
  max_turns: z.int().min(0).max(1_000).default(0),
  /** For one request; 0: the server's. */
  timeout_seconds: z.int().min(0).max(3_600).default(0),
  /** Empty: the person's own. */
  language: z.enum(["zh", "en", ""]).default(""),
  /** What is here already (workflows, documentation) is looked up. */
  enable_rag: z.boolean().default(false),
  /** What the person likes, for the model to heed. */
  preferences: z.record(z.string().max(100), z.string().max(1_000)).default({}),
});
export type ConversationConfig = z.output<typeof ConversationConfig>;

export const ConversationRequest = z.object({
  session_id: z.uuid(),
  user_id: z.uuid(),
  /** Empty: the conversation goes on where it was cut off, or what was asked last is asked again. */
  user_message: z.string().max(MAX_MESSAGE).default(""),
  /** null: a new conversation. */
  current_state: AgentState.nullable().default(null),
  workflow_context: WorkflowContext.prefault({}),
  config: ConversationConfig.prefault({}),
});
export type ConversationRequest = z.output<typeof ConversationRequest>;

export type MessageContent = {
  text: string;
  role: "assistant" | "system";
  message_type: "text" | "question" | "options";
  /** See `MessageEvent`; `delta`: "true" marks a piece of a message that comes whole later. */
  metadata: Readonly<Record<string, string>>;
  questions: readonly ClarificationQuestion[];
  alternatives: readonly AlternativeOption[];
};

/** What a message is about, as `metadata.event`; with it come `workflow_id` and, as JSON, `data`. */
export type MessageEvent =
  | "workflow_generation_started"
  | "workflow_draft"
  | "workflow_debugging"
  | "workflow_complete";

export type StatusContent = {
  new_stage: WorkflowStage;
  previous_stage: WorkflowStage;
  stage_description: string;
  pending_actions: readonly string[];
};

export type ErrorContent = {
  error_code: string;
  message: string;
  details: string;
  /** The same conversation can go on: what to do is in `message`. */
  is_recoverable: boolean;
};

type Content =
  | { type: "message"; message: MessageContent }
  | { type: "status"; status: StatusContent }
  | { type: "error"; error: ErrorContent };

export type ConversationResponse = Content & {
  session_id: string;
  /** null with pieces of a message. */
  updated_state: AgentState | null;
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** Nothing comes after it. */
  is_final: boolean;
};
