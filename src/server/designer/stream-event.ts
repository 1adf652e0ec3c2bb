import { z } from "zod";
import type { Json } from "../../base/json.ts";
import { AlternativeOption, ClarificationQuestion } from "../../designer/agent-state.ts";
import type { ConversationResponse, MessageContent, MessageEvent } from "../../designer/messages.ts";
import { stages } from "../../designer/stages.ts";

const is_final = z.boolean().describe("Nothing comes after it.");
const workflow_id = z.uuid();

const Message = z.object({
  type: z.literal("message"),
  content: z.object({
    text: z.string(),
    role: z.enum(["assistant", "system"]),
    message_type: z.enum(["text", "question", "options"]),
    questions: z.array(ClarificationQuestion).optional(),
    alternatives: z.array(AlternativeOption).optional(),
  }),
  workflow_id: workflow_id.optional(),
  is_final,
});

const Piece = z.object({
  type: z.literal("message"),
  delta: z.string().describe("The next piece of a message, which comes whole afterwards."),
  restart: z.literal(true).optional().describe("What came of the message so far does not count."),
  is_final,
});

const Status = z.object({
  type: z.literal("status"),
  content: z.object({
    new_stage: z.enum(stages),
    previous_stage: z.enum(stages),
    stage_description: z.string(),
    pending_actions: z.array(z.string()),
  }),
  is_final,
});

const ErrorContent = z.object({
  error_code: z.string(),
  message: z.string(),
  details: z.string(),
  is_recoverable: z.boolean().describe("The same conversation can go on."),
});

const Failure = z.object({ type: z.literal("error"), content: ErrorContent, is_final });

const about = <T extends MessageEvent>(type: T, data: string) =>
  z.object({ type: z.literal(type), workflow_id, data: z.json().describe(data), is_final });

/** What stands after `data:` in each event of a stream. */
export const StreamEvent = z.union([
  Message,
  Piece,
  Status,
  Failure,
  about("workflow_generation_started", "`name`"),
  about("workflow_draft", "`name`, `source` (the file), `debug_loop_count`"),
  about("workflow_debugging", "`name`, `debug_loop_count`, `dry_run` (how each edge fared)"),
  about("workflow_complete", "`name`, `node` (the hash), `source`, `dry_run`"),
]);
export type StreamEvent = z.output<typeof StreamEvent>;

/** The events of one response: what it tells about the workflow in the making comes before its words. */
export const streamEvents = (response: ConversationResponse): StreamEvent[] => {
  const { is_final } = response;
  if (response.type === "error") return [{ type: "error", content: response.error, is_final }];
  if (response.type === "status") {
    const { status } = response;
    const content = { ...status, pending_actions: [...status.pending_actions] };
    return [{ type: "status", content, is_final }];
  }
  const { text, metadata } = response.message;
  if (metadata.delta !== undefined) {
    const restart = metadata.restart === undefined ? {} : { restart: true as const };
    return [{ type: "message", delta: text, ...restart, is_final }];
  }
  return [...eventsIn(metadata), messageOf(response.message, is_final)];
};

const messageOf = (
  { text, role, message_type, questions, alternatives, metadata }: MessageContent,
  is_final: boolean,
): StreamEvent => ({
  type: "message",
  content: {
    ...{ text, role, message_type },
    ...(questions.length > 0 ? { questions: [...questions] } : {}),
    ...(alternatives.length > 0 ? { alternatives: [...alternatives] } : {}),
  },
  ...(metadata.workflow_id === undefined ? {} : { workflow_id: metadata.workflow_id }),
  is_final,
});

const eventsIn = ({ event, workflow_id, data }: MessageContent["metadata"]): StreamEvent[] =>
  event === undefined || workflow_id === undefined
    ? []
    : [
        {
          type: event as MessageEvent,
          workflow_id,
          data: JSON.parse(data ?? "{}") as Json,
          is_final: false,
        } as StreamEvent,
      ];
