import { z } from "zod";
import { MAX_MESSAGE } from "../../config/designer-config.ts";
import { Conversation, origins, WorkflowContext } from "../../designer/agent-state.ts";
import { Drawing } from "../../designer/drawing.ts";
import { DryRun } from "../../designer/dry-run/dry-run.ts";
import { ConversationConfig } from "../../designer/messages.ts";
import { stages } from "../../designer/stages.ts";
import type { ForgeKind } from "../../forge/events.ts";
import { MAX_NOTE } from "../../intake/commands/note.ts";

const session_id = z.uuid();
const stage = z.enum(stages);
const time = z.iso.datetime();
const forge = z.enum(["github", "forgejo"] satisfies ForgeKind[]);

export const SessionPath = z.object({ session_id });

export const NewSession = z
  .object({
    action: z.enum(origins),
    workflow_id: z.uuid().nullable().default(null).describe("The design that is edited or copied."),
    workflow_name: z
      .string()
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .describe("In place of workflow_id: a workflow that is installed, by its name."),
  })
  .refine(({ action, workflow_id, workflow_name }) => action === "create" || (workflow_id ?? workflow_name), {
    path: ["workflow_id"],
    error: "must be given to edit or copy, or workflow_name in its place",
  });

export const CreatedSession = z.object({
  session_id,
  action_type: z.enum(origins),
  workflow_context: WorkflowContext,
  message: z.string(),
});

export const SessionInfo = z.object({
  session_id,
  action_type: z.enum(origins),
  stage,
  intent_summary: z.string(),
  last_updated: time,
  conversation_turns: z.int().describe("What the person said, counted."),
  has_workflow: z.boolean(),
});

export const SessionList = z.object({
  sessions: z.array(
    z.object({ session_id, action_type: z.enum(origins), stage: stage.nullable(), last_updated: time }),
  ),
});

export const ListQuery = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) });

export const Said = z.object({
  session_id,
  user_message: z
    .string()
    .default("")
    .describe(
      `At most ${MAX_MESSAGE} characters. Empty: the conversation goes on where it was cut off, or what was asked last is asked again.`,
    ),
  config: ConversationConfig.partial().default({}),
});

export const History = z.object({
  session_id,
  conversations: z.array(Conversation),
  intent_summary: z.string(),
  current_stage: stage,
  total_turns: z.int().describe("What the person said, counted."),
});

export const WorkflowStatus = z.object({
  session_id,
  stage,
  has_workflow: z.boolean(),
  workflow_id: z.uuid().optional(),
  workflow_data: z
    .object({
      name: z.string(),
      source: z.string().describe("The file."),
      node: z.string().nullable().describe("The hash in the store; null: a draft."),
      dry_run: DryRun.nullable().describe("How each edge fared; null: not checked yet."),
      drawing: Drawing.nullable().describe("The graph, laid out; null: the file does not load."),
    })
    .optional(),
  debug_loop_count: z.int(),
  last_updated: time,
  runs_on: z.array(forge).describe("The forges on whose repositories it can run, once it is completed."),
});

export const RunKey = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Your own name for this run: asked for again by the same one, the same thread is answered."),
});

export const NewRun = z.object({
  forge,
  repository: z
    .string()
    .max(200)
    .regex(/^[\w.-]+\/[\w.-]+$/, "must be owner/name")
    .describe(
      "`owner/name`. The bot has to be there, and `allow` in config.yaml to name it, if it names any.",
    ),
  issue: z
    .int()
    .min(1)
    .describe(
      "The issue, or the pull request of the bot's, that it is about. Questions, how the work stands and the pull request are shown there, so there has to be one.",
    ),
  input: z.string().max(MAX_NOTE).default("").describe("What else the roles are to know."),
});

export const StartedRun = z.object({
  thread_id: z.string().describe("What `uwf thread` knows it by."),
  url: z.string().nullable().describe("The issue."),
});

/** What every refused request is answered. */
export const Refusal = z.object({
  error: z.string(),
  error_code: z.string(),
  hint: z.string().optional(),
  is_recoverable: z.boolean(),
});
