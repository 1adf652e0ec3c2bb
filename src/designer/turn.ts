import { bugError } from "../base/errors.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { AgentState, Conversation } from "./agent-state.ts";
import type { DesignerParts } from "./designer.ts";
import type { ConversationConfig, ConversationResponse, ErrorContent, MessageContent } from "./messages.ts";
import { spentMetadata } from "./spent.ts";
import { nextStage, type StageEvent } from "./stages.ts";
import { type Language, languageOf, wordsIn } from "./texts.ts";

/** What an assistant says, short of what goes without saying. */
export type Saying = Partial<MessageContent> & Pick<MessageContent, "text">;

/** One request on its way through the stages: the state as it is now, and the responses that it comes to. */
export type Turn = {
  readonly state: AgentState;
  readonly parts: DesignerParts;
  readonly config: ConversationConfig;
  readonly language: Language;
  /** What the program says itself, in that language. */
  readonly words: ReturnType<typeof wordsIn>;
  readonly signal: AbortSignal;
  change(change: Partial<AgentState>): void;
  /** Notes what model calls have taken; the next entry of the conversation carries it. */
  spent(usage: Usage): void;
  /** Taken by calls that no entry carries yet. */
  readonly unnoted: Usage;
  hear(text: string): void;
  /** Changes the stage. */
  move(event: StageEvent): ConversationResponse;
  /** Says where it stands. */
  status(): ConversationResponse;
  say(saying: Saying, options?: { final: "final" }): ConversationResponse;
  /** Says, as the last response, what is in the conversation already. */
  again(saying: Saying): ConversationResponse;
  /** A piece of what is being said; null: it begins anew. */
  piece(text: string | null): ConversationResponse;
  /** Notes that the work was cut off, and what it has taken that nothing else carries. */
  cutOff(): ConversationResponse;
  fail(error: ErrorContent, metadata: Readonly<Record<string, string>>): ConversationResponse;
};

type TurnOptions = Pick<Turn, "parts" | "config" | "signal"> & { state: AgentState };

export const openTurn = ({ state: given, parts, config, signal }: TurnOptions): Turn => {
  let state = given;
  let unnoted = zeroUsage();
  const language = () =>
    languageOf(
      config.language,
      state.conversations.flatMap(({ role, text }) => (role === "user" ? [text] : [])),
    );
  const change = (changed: Partial<AgentState>): void => {
    state = { ...state, ...changed, updated_at: parts.now() };
  };
  const note = (entry: Omit<Conversation, "timestamp">): void => {
    const metadata = { ...entry.metadata, ...takeSpent() };
    change({ conversations: [...state.conversations, { ...entry, metadata, timestamp: parts.now() }] });
  };
  const takeSpent = (): Record<string, string> => {
    const usage = unnoted;
    unnoted = zeroUsage();
    return usage.inputTokens + usage.outputTokens === 0 ? {} : spentMetadata(usage);
  };
  const envelope = (is_final: boolean) => ({
    session_id: state.session_id,
    updated_state: state,
    timestamp: parts.now(),
    is_final,
  });
  const statusFrom = (previous_stage: AgentState["stage"]): ConversationResponse => {
    const { stages, actions } = wordsIn(language());
    const { stage } = state;
    const status = {
      new_stage: stage,
      previous_stage,
      stage_description: stages[stage],
      pending_actions: actions[stage],
    };
    return { ...envelope(false), type: "status", status };
  };

  return {
    get state() {
      return state;
    },
    get language() {
      return language();
    },
    get words() {
      return wordsIn(language());
    },
    get unnoted() {
      return unnoted;
    },
    parts,
    config,
    signal,
    change,
    spent: (usage) => {
      unnoted = addUsage(unnoted, usage);
    },
    hear: (text) => note({ role: "user", text, metadata: {} }),
    move: (event) => {
      const before = state.stage;
      const stage = nextStage(state, event);
      if (stage === null) throw bugError(`${event.kind} cannot happen in ${before}`);
      change({ stage });
      return statusFrom(before);
    },
    status: () => statusFrom(state.stage),
    say: (saying, options) => {
      const message = messageOf(saying);
      note({ role: "assistant", text: message.text, metadata: entryMetadata(message) });
      return { ...envelope(options?.final === "final"), type: "message", message };
    },
    again: (saying) => ({ ...envelope(true), type: "message", message: messageOf(saying) }),
    piece: (text) => {
      const metadata: Record<string, string> =
        text === null ? { delta: "true", restart: "true" } : { delta: "true" };
      const message = messageOf({ text: text ?? "", metadata });
      return { ...envelope(false), updated_state: null, type: "message", message };
    },
    cutOff: () => {
      note({ role: "system", text: wordsIn(language()).cutOff, metadata: {} });
      return statusFrom(state.stage);
    },
    fail: (error, metadata) => {
      note({
        role: "system",
        text: error.message,
        metadata: { ...metadata, error_code: error.error_code },
      });
      return { ...envelope(true), type: "error", error };
    },
  };
};

/**
 * Responses that are saved as one, in the order in which they were made: each carries the state after the last, so whoever is cut off
 * between them goes on after them.
 */
export const together = (responses: readonly ConversationResponse[]): ConversationResponse[] => {
  const updated_state = responses.at(-1)?.updated_state ?? null;
  return responses.map((response) => ({ ...response, updated_state }));
};

const messageOf = (saying: Saying): MessageContent => ({
  role: "assistant",
  message_type: "text",
  metadata: {},
  questions: [],
  alternatives: [],
  ...saying,
});

/** What the conversation needs to show the message again. Drafts are in their own table: not each one is kept here, too. */
const entryMetadata = ({ message_type, questions, metadata }: MessageContent): Record<string, string> => {
  const { data: _, ...kept } = metadata;
  return {
    ...kept,
    message_type,
    ...(questions.length > 0 ? { questions: JSON.stringify(questions) } : {}),
  };
};
