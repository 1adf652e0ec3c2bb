import type { ThreadId } from "../base/ids.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Payload, Usage } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import { stepsSpentSince, turnsSpent } from "./spending.ts";

type Reader = Pick<Store, "thread" | "history" | "turns">;

/**
 * What the threads have spent in which this one plays a role, each since a person let it go on, without what they have noted of
 * this one. They share one budget.
 */
export const spentAbove = async (
  store: Reader,
  { id, start }: { id: ThreadId; start: Pick<Payload<"thread-start">, "parentThread"> },
): Promise<Usage> => {
  const parent = start.parentThread === null ? undefined : await store.thread(start.parentThread as ThreadId);
  if (parent === undefined) return zeroUsage();
  const history = await store.history(parent.head);
  const turns = parent.tip === null ? [] : await store.turns(parent.tip);
  const others = turns.filter((turn) => turn.kind !== "child" || turn.childThreadId !== id);
  const here = addUsage(
    await stepsSpentSince(store, history, parent.grantedAt),
    turnsSpent(others, parent.grantedAt).usage,
  );
  return addUsage(await spentAbove(store, { id: parent.id, start: history.start }), here);
};
