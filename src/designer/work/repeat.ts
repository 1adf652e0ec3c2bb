import { z } from "zod";
import { ClarificationQuestion } from "../agent-state.ts";
import { lastSaid } from "../conversation.ts";
import type { ConversationResponse, MessageContent } from "../messages.ts";
import type { Turn } from "../turn.ts";
import { sourceOf } from "./background.ts";

/** What to say to somebody who says nothing: what was said last, or a greeting. */
export const repeat = async (turn: Turn): Promise<ConversationResponse> => {
  const { state, words } = turn;
  const last = lastSaid(state);
  if (last === undefined) {
    const source = await sourceOf(turn);
    const text = source === undefined ? words.greeting : words.greetingWith(source.name);
    return turn.say({ text }, { final: "final" });
  }
  const { message_type, questions, ...metadata } = last.metadata;
  return turn.again({
    text: last.text,
    message_type: typeOf(message_type),
    metadata: { ...metadata, repeated: "true" },
    questions: questionsIn(questions),
    alternatives: message_type === "options" ? state.alternatives : [],
  });
};

const typeOf = (text: string | undefined): MessageContent["message_type"] =>
  text === "question" || text === "options" ? text : "text";

const questionsIn = (json: string | undefined): ClarificationQuestion[] => {
  if (json === undefined) return [];
  const read = z.array(ClarificationQuestion).safeParse(parsed(json));
  return read.success ? read.data : [];
};

/** The state came from outside: what is no JSON is no question. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
