import type { GuardedCall, GuardedRound } from "./loop-guard.ts";
import { callLabel } from "./messages.ts";
import { isResolve } from "./read-call.ts";
import type { Round } from "./rounds.ts";

/** Going round in circles shows soon; what lies further back is no part of it. */
const LOOKED_AT = 30;

/** What the loop guard looks at: finished calls but `resolve`, whose tries are counted on their own. */
export const guardedRounds = (
  rounds: readonly Round[],
  effect: (name: string) => "read" | "write",
): GuardedRound[] =>
  rounds.slice(-LOOKED_AT).map((round) => ({
    compacted: round.compacted,
    calls: round.calls.flatMap((call): GuardedCall[] => {
      const result = round.results.get(call.id);
      if (result === undefined || isResolve(call)) return [];
      const answer = `${result.ok} ${withoutTimes(result.text)}`;
      const key = `${callLabel({ ...call, name: result.name })}${SEPARATOR}${call.arguments}${SEPARATOR}${answer}`;
      return [{ key, effect: result.ok ? effect(result.name) : "read", ok: result.ok }];
    }),
  }));

const SEPARATOR = "\u0000";

/** The call that a guard's key stands for, as a model or a person reads it. */
export const labelOfKey = (key: string): string => key.split(SEPARATOR, 1)[0] ?? key;

/** How long a command took says nothing about its result. */
const withoutTimes = (text: string): string =>
  text.replace(/\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds?|m|min|minutes?)\b/g, "#");
