import { messageOf } from "../base/errors.ts";
import type { ToolAnswer } from "../tools/tool.ts";
import type { ReadCall } from "./read-call.ts";

export type RunnableCall = Extract<ReadCall, { kind: "run" }>;

export type CallRunner = {
  effect: (name: string) => "read" | "write";
  /** Notes that these calls begin. */
  begin: (callIds: readonly string[]) => Promise<void>;
  /** Runs one call and answers what the model is told. */
  run: (call: RunnableCall) => Promise<ToolAnswer>;
  /** Stores an answer; called for each as it is there, never twice at once. */
  store: (call: ReadCall, answer: ToolAnswer, ms: number) => Promise<void>;
  elapsed: () => number;
  signal: AbortSignal;
};

const READERS_AT_ONCE = 8;

/**
 * Runs the calls of one reply. Neighbouring readers run side by side, writers alone and in order, so that a read
 * after a write sees it. An answer is stored as soon as it is there, also when others are cancelled. A call that
 * fails is an answer; only cancellation and a failed `store` or `begin` escape.
 */
export const runCalls = async (calls: readonly ReadCall[], runner: CallRunner): Promise<void> => {
  for (const batch of batchesOf(calls, runner.effect)) {
    runner.signal.throwIfAborted();
    const [first] = batch;
    if (first?.kind === "refuse") {
      await runner.store(first, { ok: false, text: first.text }, 0);
      continue;
    }
    await runBatch(
      batch.filter((call) => call.kind === "run"),
      runner,
    );
  }
};

const runBatch = async (batch: readonly RunnableCall[], runner: CallRunner): Promise<void> => {
  await runner.begin(batch.map((call) => call.id));
  let stored: Promise<void> = Promise.resolve();
  const settled = await Promise.allSettled(
    batch.map(async (call) => {
      const startedAt = runner.elapsed();
      const answer = await answerOf(call, runner);
      const ms = Math.max(0, Math.round(runner.elapsed() - startedAt));
      stored = stored.then(() => runner.store(call, answer, ms));
      await stored;
    }),
  );
  const failure = settled.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
};

/** A thrown error becomes an answer too, unless it is the cancellation. */
const answerOf = async (call: RunnableCall, { run, signal }: CallRunner): Promise<ToolAnswer> => {
  try {
    return await run(call);
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, text: `${call.name} failed: ${messageOf(error)}` };
  }
};

/** What runs together: up to eight neighbouring readers, or one writer; a refused call stands alone. */
const batchesOf = (calls: readonly ReadCall[], effect: CallRunner["effect"]): ReadCall[][] => {
  const batches: ReadCall[][] = [];
  const reads = (call: ReadCall | undefined): boolean => call?.kind === "run" && effect(call.name) === "read";
  for (const call of calls) {
    const batch = batches.at(-1);
    if (batch && batch.length < READERS_AT_ONCE && reads(call) && reads(batch[0])) batch.push(call);
    else batches.push([call]);
  }
  return batches;
};
