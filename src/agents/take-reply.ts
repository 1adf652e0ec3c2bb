import type { Clock } from "../base/clock.ts";
import { AppError } from "../base/errors.ts";
import type { ModelReply, ModelRequest, ToolDefinition } from "../llm/model.ts";
import type { NewTurn, ThreadContext } from "./adapter.ts";
import { type CompactionPlan, contextSize, needsCompaction, planCompaction } from "./compaction.ts";
import { messagesOf, visibleTurns } from "./messages.ts";
import type { ReactAdapterConfig } from "./react-config.ts";
import { RESOLVE } from "./resolve-tool.ts";
import { summarizeTurns } from "./summarize-turns.ts";
import { withUniqueIds } from "./unique-ids.ts";

export type Conversation = {
  context: ThreadContext;
  config: Pick<ReactAdapterConfig, "provider" | "observe" | "checkpoint" | "onCompaction">;
  system: string;
  /** With `resolve`. The same in every request, for the provider's prompt cache. */
  tools: readonly ToolDefinition[];
  clock: Clock;
};

/** Asks the model for its next reply, after making room where that is due, and stores the reply. */
export const takeReply = async (talk: Conversation, { last }: { last: boolean }): Promise<void> => {
  const { context, config, clock } = talk;
  const { journal } = context;
  config.checkpoint?.();
  const size = contextSize(journal.turns, requestOf(talk, { last }));
  if (needsCompaction(size, config.provider) && !compactedSinceReply(journal.turns)) {
    const plan = planCompaction(journal.turns, { size, window: config.provider });
    if (plan) await compact(talk, plan);
  }
  const startedAt = clock.elapsed();
  const reply = await askMakingRoom(talk, { last });
  const ms = Math.max(0, Math.round(clock.elapsed() - startedAt));
  const { model, reasoning, finish, usage } = reply;
  const content = reply.content.toWellFormed();
  const calls = withUniqueIds(reply.toolCalls, journal.turns);
  const at = clock.now();
  await journal.append({ kind: "reply", model, content, reasoning, toolCalls: calls, finish, usage, at, ms });
  config.observe?.({ kind: "model-replied", content, calls, usage, ms });
};

const requestOf = ({ context, system, tools }: Conversation, { last }: { last: boolean }): ModelRequest => ({
  messages: messagesOf(system, context.journal.turns),
  tools,
  toolChoice: last ? { name: RESOLVE } : "auto",
});

/** When the model says that the context is too long, as much room as possible is made and it is asked once more. */
const askMakingRoom = async (talk: Conversation, options: { last: boolean }): Promise<ModelReply> => {
  const { context, config } = talk;
  const ask = (): Promise<ModelReply> => {
    const { observe } = config;
    return config.provider.ask(requestOf(talk, options), {
      signal: context.signal,
      onText: (piece) => observe?.({ kind: "model-text", piece }),
      onRetry: (wait) => observe?.({ kind: "model-waiting", ...wait }),
    });
  };
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError && error.code === "model-context-overflow")) throw error;
    const plan = planCompaction(context.journal.turns, { size: null, window: config.provider });
    if (plan === null) throw error;
    await compact(talk, plan);
    return await ask();
  }
};

const compact = async (talk: Conversation, { masked, summarize: some }: CompactionPlan): Promise<void> => {
  const { context, config, clock } = talk;
  const { turns } = context.journal;
  const { summary, usage } = some
    ? await summarizeTurns(
        config.provider,
        { task: context.task, earlier: visibleTurns(turns).summary, gone: some.gone },
        {
          signal: context.signal,
          onRetry: (wait) => config.observe?.({ kind: "model-waiting", ...wait }),
        },
      )
    : { summary: "", usage: null };
  const text = summary.toWellFormed();
  const kept = some?.kept ?? turns.length;
  await context.journal.append({ kind: "compaction", masked, summary: text, kept, usage, at: clock.now() });
  config.onCompaction?.();
};

const compactedSinceReply = (turns: readonly NewTurn[]): boolean =>
  turns.findLastIndex((turn) => turn.kind === "compaction") >
  turns.findLastIndex((turn) => turn.kind === "reply");
