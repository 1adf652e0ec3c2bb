import { randomUUID } from "node:crypto";
import type { ThreadContext } from "../../agents/adapter.ts";
import { bugError } from "../../base/errors.ts";
import { MAX_MESSAGE } from "../../config/designer-config.ts";
import type { Model } from "../../llm/model.ts";
import type { AgentSession } from "../../thread/engine.ts";
import { GO_ON, noteIn } from "../../thread/moderator.ts";
import type { AgentState } from "../agent-state.ts";
import type { DesignerParts } from "../designer.ts";
import type { Designs } from "../designs.ts";
import { ConversationConfig, type ConversationRequest } from "../messages.ts";
import { processConversation } from "../process-conversation.ts";
import { tooLong } from "../sessions.ts";
import { stateToBeginWith } from "../state-manager.ts";
import { userIdOf } from "../user-id.ts";
import { journalledModel } from "./journalled-model.ts";
import { type Kept, keptNode, readKept } from "./kept.ts";
import { type ThreadDesignParts, threadDesigns } from "./thread-designs.ts";
import { turnOf } from "./turn-output.ts";

/** What a conversation in a thread is held with. */
export type TurnParts = Pick<DesignerParts, "catalogue" | "library" | "now" | "log"> &
  Pick<ThreadDesignParts, "store" | "readFile"> & { model: Model };

type Holding = { context: ThreadContext; session: AgentSession };

/** How a turn ended: the person is asked, something went wrong, or there is a file that has passed its checks. */
export type HeldTurn = { status: "asked" | "failed" | "completed"; kept: Kept };

/** What a turn may take in a role that says nothing else. */
const MAX_MINUTES = 60;

/**
 * Carries the conversation of a thread on by what the person said last. It is kept after every response, as a turn of the step:
 * whoever takes the step up goes on from there. Throws `message-too-long`, `conversation-lost`, `workflow-unknown` (fix-input), what
 * stops the thread or its model, and the signal's reason.
 */
export const holdTurn = async (
  { store, readFile, ...parts }: TurnParts,
  { context, session }: Holding,
): Promise<HeldTurn> => {
  const { journal, task } = context;
  const before = await keptBefore({ context, session });
  const said = wordsIn(task, before);
  if (said.length > MAX_MESSAGE) throw tooLong(said.length);
  const designs = threadDesigns({ store, readFile, designs: before?.kept.designs ?? [] });
  const state = before?.kept.state ?? (await beginning(context, { designs, at: parts.now() }));
  const from = before?.inThisStep ? before.kept.from : state.conversations.length;
  const stopped = new AbortController();
  const model = journalledModel(parts.model, {
    ...{ context, session },
    ended: (error) => stopped.abort(error),
  });
  const minutes = session.role.limits.timeoutMinutes ?? MAX_MINUTES;
  const conversation = processConversation(requestOf(state, said), {
    ...{ ...parts, model, workflows: designs },
    // The thread's own money counts.
    limits: { tokens: null, usd: null, timeoutSeconds: Math.ceil(minutes * 60) },
    signal: AbortSignal.any([context.signal, stopped.signal]),
  });
  let last: HeldTurn | null = null;
  for await (const { type, updated_state } of conversation) {
    if (updated_state === null) continue;
    const kept = { heard: task, from, state: updated_state, designs: designs.all() };
    const node = keptNode(kept);
    await session.keep([node]);
    await journal.append({ kind: "state", state: node.hash, at: parts.now() });
    last = { status: statusOf(updated_state, type), kept };
  }
  if (last === null) throw bugError("a turn of a conversation came to nothing");
  return last;
};

const statusOf = ({ stage }: AgentState, type: "message" | "status" | "error"): HeldTurn["status"] => {
  if (type === "error") return "failed";
  return stage === "completed" ? "completed" : "asked";
};

type KeptBefore = { kept: Kept; inThisStep: boolean };

/** The newest of the step that is under way, else what its role left last. */
const keptBefore = async ({
  context: { journal, steps, role },
  session: { nodes },
}: Holding): Promise<KeptBefore | null> => {
  const own = journal.turns.findLast((turn) => turn.kind === "state");
  if (own?.kind === "state") return { kept: await readKept(nodes, own.state), inThisStep: true };
  const last = turnOf(steps.findLast((step) => step.role === role)?.output);
  return last === null ? null : { kept: await readKept(nodes, last.conversation), inThisStep: false };
};

/**
 * What the person says with this task, short of what its step has heard already: two steps may have the same task, and what is said while
 * a step stands comes behind what it was told before.
 */
const wordsIn = (task: string, before: KeptBefore | null): string => {
  if (before === null) return task;
  const { kept, inThisStep } = before;
  if (inThisStep && kept.heard === task) return "";
  const note = noteIn(task) ?? "";
  if (note === GO_ON && kept.state.stage === "error") return "";
  const heard = inThisStep ? noteIn(kept.heard) : null;
  return heard !== null && note.startsWith(`${heard}\n\n`) ? note.slice(heard.length).trimStart() : note;
};

/** Nothing was said yet; what is to be edited or copied lies ready. Throws `workflow-unknown` (fix-input). */
const beginning = async (
  { start: { asked = {}, source } }: ThreadContext,
  { designs, at }: { designs: Designs; at: number },
): Promise<AgentState> => {
  const userId = userIdOf(`${source?.forge ?? "local"}/${source?.requester?.login ?? ""}`);
  const name = asked.edit ?? asked.copy;
  return stateToBeginWith({
    id: randomUUID(),
    userId,
    actionType: asked.edit !== undefined ? "edit" : asked.copy !== undefined ? "copy" : "create",
    sourceWorkflowId: name === undefined ? null : (await designs.adopt(name, userId)).id,
    createdAt: at,
  });
};

const requestOf = (state: AgentState, said: string): ConversationRequest => ({
  session_id: state.session_id,
  user_id: state.user_id,
  user_message: said,
  current_state: state,
  workflow_context: state.workflow_context,
  config: ConversationConfig.parse({ enable_rag: true }),
});
