import type { ChatMessage } from "../llm/model.ts";
import { estimateTokens } from "../llm/tokens.ts";
import type { AgentState, Conversation } from "./agent-state.ts";

/** True while the person's last word has no answer. */
export const isUnanswered = ({ conversations }: Pick<AgentState, "conversations">): boolean =>
  conversations.findLast(({ role }) => role !== "system")?.role === "user";

export const lastSaid = ({ conversations }: Pick<AgentState, "conversations">): Conversation | undefined =>
  conversations.findLast(({ role }) => role === "assistant");

export const userTexts = ({ conversations }: Pick<AgentState, "conversations">): string[] =>
  conversations.flatMap(({ role, text }) => (role === "user" ? [text] : []));

/** The end of the conversation that fits into so many tokens, for a model; it begins with something that the person said. */
export const historyWithin = (
  { conversations }: Pick<AgentState, "conversations">,
  tokens: number,
): ChatMessage[] => {
  let left = tokens;
  const kept: ChatMessage[] = [];
  for (const entry of conversations.toReversed()) {
    const message = messageOf(entry);
    left -= estimateTokens(message.content) + 4;
    if (left < 0) break;
    kept.unshift(message);
  }
  const first = kept.findIndex(({ role }) => role === "user");
  return first === -1 ? [] : kept.slice(first);
};

const messageOf = ({ role, text, metadata }: Conversation): ChatMessage => {
  if (role === "assistant")
    return { role, content: `${text}${questionsIn(metadata.questions)}`, toolCalls: [], reasoning: null };
  return { role: "user", content: role === "system" ? `(Note of the program: ${text})` : text };
};

const questionsIn = (json: string | undefined): string => (json === undefined ? "" : `\n\nAsked: ${json}`);
