import { isResolve } from "../../agents/read-call.ts";
import type { Hash } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import type { Store } from "../../store/store.ts";

type Reader = Pick<Store, "history" | "turns">;

/** The calls of tools in these turns, those of threads that played a role included. */
export const countCalls = async (store: Reader, turns: readonly Payload<"turn">[]): Promise<number> => {
  const calls = turns.filter((turn) => turn.kind === "tool" && !isResolve(turn)).length;
  const heads = new Map<string, Hash>();
  for (const turn of turns) if (turn.kind === "child") heads.set(turn.childThreadId, turn.childHash);
  let sum = calls;
  for (const head of heads.values()) {
    const { steps } = await store.history(head);
    for (const { step } of steps)
      if (step.turns !== null) sum += await countCalls(store, await store.turns(step.turns));
  }
  return sum;
};
