import type { Hash } from "../../base/ids.ts";
import type { ClarificationQuestion } from "../agent-state.ts";
import { lastSaid } from "../conversation.ts";
import type { ConversationResponse } from "../messages.ts";
import type { Turn } from "../turn.ts";
import { designOf, sourceOf } from "./background.ts";
import { contextWith, own } from "./collected.ts";

/**
 * Whether the workflow may have the name: nothing else has it, it is the one that is edited, this
 * conversation put it there, or the person agreed. `node`: what would be registered, where that is known.
 */
export const mayHaveName = async (turn: Turn, name: string, node?: Hash): Promise<boolean> => {
  const { state, parts } = turn;
  const holder = await parts.workflows.holderOf(name);
  if (holder === null || state.clarification_context.collected_info[own.replaces] === name) return true;
  if (state.workflow_context.origin === "edit" && (await sourceOf(turn))?.name === name) return true;
  if (holder.node === null) return false;
  return holder.node === node || holder.node === (await designOf(turn))?.node;
};

/** True when the last question was whether the workflow of this name may be replaced. */
export const wasAskedToReplace = ({ state }: Turn, name: string): boolean =>
  lastSaid(state)?.metadata.name_taken === name;

/** Asks whether the workflow that has the name may be replaced. */
export const askToReplace = (turn: Turn, name: string): ConversationResponse => {
  const { words } = turn;
  const text = words.nameTaken(name);
  const question: ClarificationQuestion = {
    id: "name",
    question: text,
    category: "output",
    is_required: true,
    options: [words.replace(name), words.otherName],
  };
  turn.change({ clarification_context: contextWith(turn.state, { pending_questions: [text] }) });
  return turn.say(
    { text, message_type: "question", questions: [question], metadata: { name_taken: name } },
    { final: "final" },
  );
};
