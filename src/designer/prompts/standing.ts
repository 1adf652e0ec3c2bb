import type { AgentState } from "../agent-state.ts";
import type { Passage } from "../library.ts";
import { data } from "./data.ts";

/** What a task is about beside the conversation: the file that there is, and what was looked up. */
export type Background = {
  /** The file to begin with, or as it is now; null: none. */
  source: string | null;
  passages: readonly Passage[];
};

/** What is known so far, as every task tells it. */
export const standing = (state: AgentState, { source, passages }: Background): string => {
  const { origin, collected_info, pending_questions } = state.clarification_context;
  const known = {
    what: `${origin} a workflow`,
    agreed: state.intent_summary,
    ...collected_info,
    "wanted change": state.workflow_context.modification_intent,
    "open questions": pending_questions.join(" | "),
    "not installed": state.gaps.join(" | "),
  };
  const lines = Object.entries(known).filter(([, value]) => value !== "");
  return [
    data("known", lines.map(([key, value]) => `${key}: ${value}`).join("\n")),
    ...(source === null ? [] : [data("workflow", source)]),
    ...passages.map(({ source, heading, text }) => data("passage", `${source}, ${heading}\n${text}`)),
  ].join("\n\n");
};
