import { AppError, isAbort, messageOf } from "../base/errors.ts";
import { MAX_CONVERSATIONS } from "./agent-state.ts";
import { isUnanswered, userTexts } from "./conversation.ts";
import type { DesignerParts } from "./designer.ts";
import type { ConversationRequest, ConversationResponse, ErrorContent } from "./messages.ts";
import { refusal } from "./refusal.ts";
import { MAX_DEBUG_LOOPS } from "./stages.ts";
import { stateToBeginWith } from "./state-manager.ts";
import { openTurn, type Turn } from "./turn.ts";
import { analyse } from "./work/analyse.ts";
import { debug } from "./work/debug.ts";
import { listen } from "./work/listen.ts";
import { offer } from "./work/offer.ts";
import { recover } from "./work/recover.ts";
import { repeat } from "./work/repeat.ts";
import { steer } from "./work/steer.ts";
import type { Work } from "./work/work.ts";
import { write } from "./work/write.ts";

/** More stages than any conversation goes through at once. */
const MOST_WORKS = 40;
/** Entries that one request adds at most, with room to spare. */
const ENTRIES = 50;

/**
 * Carries a conversation on by what the person said; see `ProcessConversation`. `signal` reaches every call of the model, and
 * so does the request's time-out. Before its reason is thrown, the state comes once more where a call that was cut off has used something.
 */
export async function* processConversation(
  request: ConversationRequest,
  { signal, ...parts }: DesignerParts & { signal: AbortSignal },
): AsyncGenerator<ConversationResponse, void, void> {
  const { config, session_id } = request;
  if (isForeign(request)) {
    yield refusal(FOREIGN, { session_id, timestamp: parts.now() });
    return;
  }
  const seconds = config.timeout_seconds === 0 ? parts.limits.timeoutSeconds : config.timeout_seconds;
  const late = AbortSignal.timeout(seconds * 1000);
  const turn = openTurn({
    state: stateOf(request, parts),
    ...{ parts, config, signal: AbortSignal.any([signal, late]) },
  });
  try {
    yield* carryOn(turn, request);
  } catch (error) {
    if (signal.aborted) {
      // What was paid for counts, though nobody waits for it any more.
      if (turn.unnoted.inputTokens + turn.unnoted.outputTokens > 0) yield turn.cutOff();
      throw signal.reason;
    }
    const isLate = late.aborted && isAbort(error, late);
    yield failure(turn, isLate ? tooLate(seconds) : error);
  }
}

async function* carryOn(
  turn: Turn,
  { user_message }: ConversationRequest,
): AsyncGenerator<ConversationResponse, void, void> {
  const said = user_message.trim() === "" ? wishAtFirst(turn) : user_message.trim();
  if (said !== "") {
    requireRoom(turn, turn.config.max_turns);
    turn.hear(said);
  }
  // Whoever listens has what was said, whatever happens to the work that it leads to.
  yield turn.status();
  for (let works = 0; works < MOST_WORKS; works++) {
    turn.signal.throwIfAborted();
    const work = workFor(turn);
    if (work === null) {
      yield await repeat(turn);
      return;
    }
    if ((yield* work(turn)) === "wait") return;
  }
  throw new Error(`the conversation went through ${MOST_WORKS} stages at once`);
}

/** What is to be done now; null: it is the person's turn. */
const workFor = ({ state }: Turn): Work | null => {
  const isHeard = isUnanswered(state);
  switch (state.stage) {
    case "clarification":
    case "negotiation":
      return isHeard ? listen : null;
    case "gap_analysis":
      return isHeard ? steer : analyse;
    case "alternative_generation":
      if (state.alternatives.length === 0) return offer;
      return isHeard ? steer : null;
    case "workflow_generation":
      return isHeard ? steer : write;
    case "debug":
      if (isHeard) return steer;
      return state.debug_loop_count < MAX_DEBUG_LOOPS ? debug : null;
    case "completed":
      return isHeard ? steer : null;
    case "error":
      return recover;
  }
};

const stateOf = (
  { current_state, session_id, user_id, workflow_context }: ConversationRequest,
  { now }: Pick<DesignerParts, "now">,
) => {
  if (current_state !== null) return current_state;
  const { origin, source_workflow_id } = workflow_context;
  const begun = stateToBeginWith({
    ...{ id: session_id, userId: user_id, actionType: origin, createdAt: now() },
    sourceWorkflowId: source_workflow_id || null,
  });
  return { ...begun, workflow_context };
};

/** What was wanted when the session was made stands for what a person says first. */
const wishAtFirst = ({ state }: Turn): string =>
  state.conversations.length === 0 ? state.workflow_context.modification_intent.trim() : "";

const requireRoom = ({ state }: Turn, maxTurns: number): void => {
  if (maxTurns > 0 && userTexts(state).length >= maxTurns)
    throw new AppError(`This conversation may have ${maxTurns} turns, and has had them.`, {
      code: "max-turns",
      remedy: "fix-config",
      hint: "Begin a new session, or allow more turns.",
    });
  if (state.conversations.length + ENTRIES > MAX_CONVERSATIONS)
    throw new AppError("This conversation is too long to go on.", {
      code: "conversation-full",
      remedy: "fix-config",
      hint: "Begin a new session that edits the workflow.",
    });
};

const isForeign = ({ current_state, session_id, user_id }: ConversationRequest): boolean =>
  current_state !== null && (current_state.session_id !== session_id || current_state.user_id !== user_id);

const FOREIGN = {
  error_code: "state-foreign",
  message: "The state is another session's.",
  details: "Send the state that came with this session's last response.",
};

const tooLate = (seconds: number): AppError =>
  new AppError(`There was no answer within ${seconds} seconds.`, {
    code: "timeout",
    remedy: "retry",
    hint: "Send the message again, or nothing to go on.",
  });

/** What can pass by itself, or by other words, stops the conversation where it stands, to go on from there. */
const failure = (turn: Turn, error: unknown): ConversationResponse => {
  const known = error instanceof AppError && error.remedy !== "bug" ? error : null;
  if (known === null)
    turn.parts.log.error({ error: messageOf(error), session: turn.state.session_id }, "the designer failed");
  const is_recoverable = known !== null && known.remedy !== "fix-config";
  const content: ErrorContent = {
    error_code: known?.code ?? "internal",
    message: known?.message ?? "Something went wrong in the program.",
    details: known?.hint ?? "",
    is_recoverable,
  };
  const { stage } = turn.state;
  if (!is_recoverable || stage === "error") return turn.fail(content, {});
  turn.move({ kind: "failed" });
  return turn.fail(content, { failed_stage: stage });
};
