import type { Clock } from "../base/clock.ts";
import { AppError } from "../base/errors.ts";
import { exactMoney } from "../base/exact-money.ts";
import type { AskOptions, ModelReply, ModelRequest, ToolDefinition } from "../llm/model.ts";
import type { Usage } from "../store/payload.ts";
import type { NewTurn, ThreadContext } from "./adapter.ts";
import { budgetExceeded } from "./budget-exceeded.ts";
import { type CompactionPlan, contextSize, needsCompaction, planCompaction } from "./compaction.ts";
import { messagesOf, visibleTurns } from "./messages.ts";
import { affordable, nextCall } from "./next-call.ts";
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
  const size = contextSize(journal.turns, () => requestOf(talk, { last }));
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

export const requestOf = (
  { context, system, tools }: Pick<Conversation, "context" | "system" | "tools">,
  { last }: { last: boolean },
): ModelRequest => ({
  messages: messagesOf(system, context.journal.turns),
  tools,
  toolChoice: last ? { name: RESOLVE } : "auto",
});

/**
 * The request, with a reply that is paid for by what is left. `turns`: those that it goes on from, as far as the provider has
 * counted them. Throws `role-budget-exceeded` when none is.
 */
const withinRoom = (
  { context, config }: Conversation,
  request: ModelRequest,
  turns: readonly NewTurn[],
): ModelRequest =>
  paidFor(request, context, {
    next: nextCall(turns, () => request, config.provider),
    model: config.provider,
  });

/** The same where it is known what the next call takes. */
export const paidFor = (
  request: ModelRequest,
  { journal, role }: Pick<ThreadContext, "journal" | "role">,
  { next, model }: { next: Usage; model: Parameters<typeof affordable>[2] },
): ModelRequest => {
  const room = journal.room();
  const maxOutputTokens = affordable(next, room, model);
  if (maxOutputTokens === 0) throw budgetExceeded(role, notEnough(next, room));
  return maxOutputTokens === null ? request : { ...request, maxOutputTokens };
};

const notEnough = ({ costUsd }: Usage, room: number | null): string =>
  `${exactMoney(room ?? 0)} is left for its next call, which costs ${exactMoney(costUsd ?? 0)} or more.`;

type Asking = { context: ThreadContext; config: Pick<ReactAdapterConfig, "observe">; clock: Clock };

/** What is paid for without a reply is kept as a turn; when it was the last of the money, the model is not asked again. */
export const asking = ({
  context,
  config,
  clock,
}: Asking): Required<Pick<AskOptions, "signal" | "onRetry" | "onLost">> => {
  let since = clock.elapsed();
  return {
    signal: context.signal,
    onRetry: (wait) => config.observe?.({ kind: "model-waiting", ...wait }),
    onLost: async ({ reason, usage }) => {
      const ms = Math.max(0, Math.round(clock.elapsed() - since));
      since = clock.elapsed();
      const turn = { kind: "lost", reason: reason.toWellFormed(), usage, at: clock.now(), ms } as const;
      await context.journal.append(turn);
      const spent = context.journal.spent();
      if (spent !== null) throw budgetExceeded(context.role, spent);
    },
  };
};

/** When the model says that the context is too long, as much room as possible is made and it is asked once more. */
const askMakingRoom = async (talk: Conversation, options: { last: boolean }): Promise<ModelReply> => {
  const { context, config } = talk;
  const ask = (): Promise<ModelReply> => {
    const { observe } = config;
    return config.provider.ask(withinRoom(talk, requestOf(talk, options), talk.context.journal.turns), {
      ...asking(talk),
      onText: (piece) => observe?.({ kind: "model-text", piece }),
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
        { ...asking(talk), bounded: (request) => withinRoom(talk, request, []) },
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
