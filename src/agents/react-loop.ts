import { clockOf } from "../base/clock.ts";
import type { ThreadContext } from "./adapter.ts";
import { nextCall } from "./next-call.ts";
import { nextMove } from "./next-move.ts";
import type { ReactAdapterConfig } from "./react-config.ts";
import type { ResolveTool } from "./resolve-tool.ts";
import { settleCalls } from "./settle-calls.ts";
import { requestOf, takeReply } from "./take-reply.ts";

/** What a role adds to the adapter's configuration. */
export type RoleSetup<T> = { config: ReactAdapterConfig; resolve: ResolveTool<T>; system: string };

/** Plays a role from where its journal stands to its output. Every turn is stored before the next move. */
export const playRole = async <T>(context: ThreadContext, setup: RoleSetup<T>): Promise<T> => {
  const { journal, signal, role, task } = context;
  const { config, resolve, system } = setup;
  const clock = clockOf(config.now);
  const effect = config.effect ?? (() => "write" as const);
  const tools = [...config.tools, resolve.definition];
  for (;;) {
    signal.throwIfAborted();
    const talk = { context, config, system, tools, clock };
    const spent = journal.spent(
      nextCall(journal.turns, () => requestOf(talk, { last: false }), config.provider),
    );
    const rules = { role, task, maxRounds: config.maxRounds, spent, effect, resolve };
    const move = nextMove(journal.turns, rules);
    switch (move.kind) {
      case "tell":
        await journal.append({ kind: "message", text: move.text.toWellFormed(), at: clock.now() });
        break;
      case "settle":
        await settleCalls(move, { context, config, resolve, effect, clock });
        break;
      case "ask":
        await takeReply(talk, { last: move.last });
        break;
      case "finish":
        return move.output;
      case "fail":
        throw move.error;
    }
  }
};
