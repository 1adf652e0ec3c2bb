import type { ThreadContext } from "../../agents/adapter.ts";
import { budgetExceeded } from "../../agents/budget-exceeded.ts";
import { observedModel } from "../../agents/model-call.ts";
import { nextCall } from "../../agents/next-call.ts";
import { asking, paidFor } from "../../agents/take-reply.ts";
import { clockOf } from "../../base/clock.ts";
import type { AskOptions, Model, ModelReply, ModelRequest } from "../../llm/model.ts";
import type { AgentSession } from "../../thread/engine.ts";

type Journalled = {
  context: ThreadContext;
  session: Pick<AgentSession, "checkpoint" | "emit">;
  /** Told what ends a question that nobody has stopped, before that is thrown. */
  ended(error: unknown): void;
};

/**
 * The model of a step: each reply is a turn of the step, and is paid for by what is left of the thread's money. Throws
 * `role-budget-exceeded`, what the session's checkpoint and the journal throw, and as `Model.ask`.
 */
export const journalledModel = (model: Model, { context, session, ended }: Journalled): Model => {
  const { journal, role } = context;
  const clock = clockOf(undefined);
  const observed = observedModel(model, { observe: session.emit, elapsed: clock.elapsed });
  const ask = async (request: ModelRequest, { onText, onRetry, signal }: AskOptions): Promise<ModelReply> => {
    session.checkpoint();
    const spent = journal.spent();
    if (spent !== null) throw budgetExceeded(role, spent);
    // Each question stands for itself: those before say nothing of its length.
    const next = nextCall([], () => request, model);
    const startedAt = clock.elapsed();
    const watched = asking({ context, config: { observe: session.emit }, clock });
    const reply = await observed.ask(paidFor(request, context, { next, model }), {
      ...watched,
      ...{ signal, ...(onText === undefined ? {} : { onText }) },
      onRetry: (wait) => {
        watched.onRetry(wait);
        onRetry?.(wait);
      },
    });
    const ms = Math.max(0, Math.round(clock.elapsed() - startedAt));
    const { reasoning, finish, usage } = reply;
    const content = reply.content.toWellFormed();
    const calls = [...reply.toolCalls];
    const said = { model: reply.model, content, reasoning, toolCalls: calls, finish, usage };
    await journal.append({ kind: "reply", ...said, at: clock.now(), ms });
    session.emit({ kind: "model-replied", content, calls, usage, ms });
    return reply;
  };
  return {
    ...model,
    ask: async (request, options) => {
      try {
        return await ask(request, options);
      } catch (error) {
        if (!options.signal.aborted) ended(error);
        throw error;
      }
    },
  };
};
