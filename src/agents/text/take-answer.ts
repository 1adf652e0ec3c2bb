import type { Clock } from "../../base/clock.ts";
import { messageOf } from "../../base/errors.ts";
import { zeroUsage } from "../../llm/usage.ts";
import type { ThreadContext } from "../adapter.ts";
import type { LoopEvent } from "../react-config.ts";
import type { AgentAnswer, TextAgentContext } from "./text-agent.ts";

export type AnswerTaking = {
  /** What the agent is called. */
  name: string;
  clock: Clock;
  options: { observe?: (event: LoopEvent) => void; checkpoint?: () => void };
};

/** Lets the agent answer, and stores the answer with the files as it leaves them. `id`: the name of the run, begun with it. */
export const takeAnswer = async (
  context: ThreadContext,
  { name, clock, options }: AnswerTaking,
  { id, ask }: { id: string; ask: (told: Omit<TextAgentContext, "prompt">) => Promise<AgentAnswer> },
): Promise<void> => {
  const { journal } = context;
  const { observe, checkpoint } = options;
  checkpoint?.();
  await journal.begin([id]);
  observe?.({ kind: "tool-started", callId: id, name, arguments: "{}" });
  const startedAt = clock.elapsed();
  const passed = (): number => Math.max(0, Math.round(clock.elapsed() - startedAt));
  const over = (ok: boolean, text: string): void =>
    observe?.({ kind: "tool-finished", callId: id, name, ok, text, ms: passed() });
  let answer: AgentAnswer;
  try {
    answer = await ask({
      ...context,
      onOutput: (piece) => observe?.({ kind: "tool-output", callId: id, piece }),
    });
  } catch (error) {
    over(false, messageOf(error));
    throw error;
  }
  const { output, sessionId, usage, model } = typeof answer === "string" ? { output: answer } : answer;
  const content = output.toWellFormed();
  const spent = usage ?? { ...zeroUsage(), costUsd: null };
  over(true, "");
  const files = await journal.capture();
  await journal.append({
    kind: "reply",
    model: model ?? name,
    content,
    reasoning: sessionId == null ? null : { sessionId },
    toolCalls: [],
    finish: "stop",
    usage: spent,
    ...(files === null ? {} : { workspace: files }),
    at: clock.now(),
    ms: passed(),
  });
  observe?.({ kind: "model-replied", content, calls: [], usage: spent, ms: passed() });
};
