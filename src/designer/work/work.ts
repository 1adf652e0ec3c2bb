import type { ConversationResponse } from "../messages.ts";
import type { Turn } from "../turn.ts";

/** What is done in a stage: goes on with the next stage, or waits for the person. */
export type Work = (turn: Turn) => AsyncGenerator<ConversationResponse, "go-on" | "wait", void>;
