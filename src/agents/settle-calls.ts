import type { Clock } from "../base/clock.ts";
import type { ToolAnswer } from "../tools/tool.ts";
import type { ThreadContext } from "./adapter.ts";
import { CUT_OFF, invalidOutput, NOT_RUN, RESOLVE_NOT_ALONE } from "./loop-texts.ts";
import { invalidTries, MAX_TRIES, type Move } from "./next-move.ts";
import type { ReactAdapterConfig } from "./react-config.ts";
import { isResolve, type ReadCall, readCall } from "./read-call.ts";
import { RESOLVE, type ResolveTool } from "./resolve-tool.ts";
import { roundsOf } from "./rounds.ts";
import { type RunnableCall, runCalls } from "./run-calls.ts";

type Settling<T> = {
  context: ThreadContext;
  config: ReactAdapterConfig;
  resolve: ResolveTool<T>;
  effect: (name: string) => "read" | "write";
  clock: Clock;
};

/** Answers the calls of the last reply that have no result yet: runs those that may run, and refuses the others. */
export const settleCalls = async <T>(
  move: Extract<Move<T>, { kind: "settle" }>,
  settling: Settling<T>,
): Promise<void> => {
  const { context, config, effect, clock } = settling;
  const { journal, signal } = context;
  const read = move.calls.map((call): ReadCall => {
    const refused = refusalOf(call, { move, settling });
    if (refused === null) return readCall(call, config.tools);
    return { kind: "refuse", id: call.id, name: isResolve(call) ? RESOLVE : call.name, text: refused };
  });
  await runCalls(read, {
    effect,
    begin: (ids) => journal.begin(ids),
    run: (call) => runTool(call, settling),
    store: async (call, { ok, text: said, seen = {} }, ms) => {
      const text = said.toWellFormed();
      const { id: callId, name } = call;
      const at = clock.now();
      const workspace = call.kind === "run" && effect(name) === "write" ? await journal.capture() : null;
      const files = workspace === null ? {} : { workspace };
      await journal.append({ kind: "tool", callId, name, ok, text, seen: { ...seen }, ...files, at, ms });
      config.observe?.({ kind: "tool-finished", callId, name, ok, text, ms });
    },
    elapsed: clock.elapsed,
    signal,
  });
};

/** Why a call may not run, or null. */
const refusalOf = <T>(
  call: Extract<Move<T>, { kind: "settle" }>["calls"][number],
  { move, settling }: { move: Extract<Move<T>, { kind: "settle" }>; settling: Settling<T> },
): string | null => {
  const { context, resolve } = settling;
  if (context.journal.cutOff.has(call.id)) return CUT_OFF;
  if (!isResolve(call)) return move.last ? NOT_RUN : null;
  if (move.round.calls.length > 1) return move.last ? NOT_RUN : RESOLVE_NOT_ALONE;
  const output = resolve.read(call.arguments);
  const { rounds } = roundsOf(context.journal.turns);
  return invalidOutput(
    output.ok ? "" : output.problems,
    Math.max(0, MAX_TRIES - invalidTries(rounds, { resolve })),
  );
};

const runTool = async <T>(call: RunnableCall, { context, config }: Settling<T>): Promise<ToolAnswer> => {
  const { id, name, args } = call;
  config.observe?.({ kind: "tool-started", callId: id, name, arguments: args });
  const answer = await config.toolHandler(name, args, {
    id,
    signal: context.signal,
    onOutput: (piece) => config.observe?.({ kind: "tool-output", callId: id, piece }),
  });
  return typeof answer === "string" ? { ok: true, text: answer } : answer;
};
