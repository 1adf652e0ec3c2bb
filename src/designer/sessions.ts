import { AppError, inputError } from "../base/errors.ts";
import { MAX_MESSAGE } from "../config/designer-config.ts";
import { holdLease, type LeaseStore } from "../store/hold-lease.ts";
import type { ProcessConversation } from "./designer.ts";
import type { ConversationResponse } from "./messages.ts";
import { ConversationConfig } from "./messages.ts";
import type { StateManager } from "./state-manager.ts";

/** What somebody says in a session, for the gateway, the page and the forges alike. */
export type Said = {
  sessionId: string;
  userId: string;
  /** Empty: it goes on where it was cut off, or what was asked last is asked again. */
  text: string;
  config?: { [K in keyof ConversationConfig]?: ConversationConfig[K] | undefined };
  /** Ends the work; what was said and done until then is kept. */
  signal: AbortSignal;
};

export type Sessions = {
  /**
   * Carries a session on, and saves its state before each response is given. One at a time: throws `session-busy` (retry)
   * while another request works on it, `message-too-long` (fix-input), `session-unknown` and `session-damaged` as the state manager, and the signal's reason.
   */
  say(said: Said): AsyncGenerator<ConversationResponse, void, void>;
};

type SessionsParts = {
  states: StateManager;
  process: ProcessConversation;
  leases: LeaseStore;
  /** The process: see `processHolder`. */
  holder: string;
};

/** Conversations that are kept: the state comes from the store for each request, and goes back with each response. */
export const keptSessions = ({ states, process, leases, holder }: SessionsParts): Sessions => ({
  async *say({ sessionId, userId, text, config, signal }) {
    if (text.length > MAX_MESSAGE) throw tooLong(text.length);
    await states.getSession(sessionId, userId);
    const lost = new AbortController();
    const lease = await holdLease(leases, {
      key: `session/${sessionId}`,
      holder,
      onLost: (error) => lost.abort(error),
      busy: () => busy(sessionId),
    });
    // Whoever stops listening stops the work.
    const left = new AbortController();
    try {
      const state = await states.getState(sessionId, userId);
      const request = {
        session_id: sessionId,
        user_id: userId,
        user_message: text,
        current_state: state,
        workflow_context: state.workflow_context,
        config: ConversationConfig.parse(config ?? {}),
      };
      const signals = AbortSignal.any([signal, lost.signal, left.signal]);
      for await (const response of process(request, { signal: signals })) {
        lost.signal.throwIfAborted();
        const { updated_state } = response;
        if (updated_state !== null && !(await states.saveState(sessionId, updated_state, userId)))
          throw gone(sessionId);
        yield response;
      }
    } finally {
      left.abort(new AppError("nobody listens any more", { code: "session-left", remedy: "retry" }));
      await lease.release();
    }
  },
});

const busy = (id: string): AppError =>
  new AppError(`The session ${id} is being worked on.`, {
    code: "session-busy",
    remedy: "retry",
    hint: "Wait for the answer to what was said before.",
  });

export const tooLong = (length: number): AppError =>
  inputError(
    "message-too-long",
    `the message has ${length} characters; at most ${MAX_MESSAGE} are allowed`,
    "Say it in parts.",
  );

const gone = (id: string): AppError =>
  new AppError(`The session ${id} was removed.`, { code: "session-unknown", remedy: "fix-input" });
