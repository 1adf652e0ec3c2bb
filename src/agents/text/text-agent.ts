import type { Usage } from "../../store/payload.ts";
import type { ThreadContext } from "../adapter.ts";

/** What an agent that answers text is told. */
export type TextAgentContext = ThreadContext & {
  /** Everything in one text: the role's prompt, the task, the steps so far, and how to answer. */
  prompt: string;
  /** Takes what the agent shows of its work, as it comes. */
  onOutput(piece: string): void;
};

/** Text alone, or with the session in which the agent can be asked again, and what the answer used. */
export type AgentAnswer =
  | string
  | { output: string; sessionId?: string | null; usage?: Usage | null; model?: string | null };

/** Works, and answers text. Rejects with the signal's reason when it is cancelled. */
export type AgentFn = (context: TextAgentContext) => Promise<AgentAnswer>;

/** An agent that can be told more in the session of an answer of its own. */
export type TextAgent = {
  run: AgentFn;
  continue(sessionId: string, message: string, context: TextAgentContext): Promise<AgentAnswer>;
};
