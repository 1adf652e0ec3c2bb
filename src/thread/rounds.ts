import type { ThreadId } from "../base/ids.ts";
import type { Payload } from "../store/payload.ts";
import type { History, Store } from "../store/store.ts";

type Chains = Pick<Store, "history">;

/** The steps taken since then (milliseconds since the epoch); of one that a workflow played, those in it. */
export const roundsSince = async (
  store: Chains,
  { steps }: Pick<History, "steps">,
  since: number,
): Promise<number> => {
  const own = steps.filter(({ step }) => step.childHash === undefined && step.finishedAt > since).length;
  // A thread that has waited for a person plays in several steps: the last has all that it did.
  const last = new Map(steps.map(({ step }) => [step.childThreadId, step.childHash]));
  let below = 0;
  for (const head of last.values())
    if (head !== undefined) below += await roundsSince(store, await store.history(head), since);
  return own + below;
};

/** Those of the threads in which this one plays a role, without its own: they share one limit. */
export const roundsAbove = async (
  store: Chains & Pick<Store, "thread">,
  { id, start }: { id: ThreadId; start: Pick<Payload<"thread-start">, "parentThread"> },
): Promise<number> => {
  const parent = start.parentThread === null ? undefined : await store.thread(start.parentThread as ThreadId);
  if (parent === undefined) return 0;
  const history = await store.history(parent.head);
  const others = history.steps.filter(({ step }) => step.childThreadId !== id);
  const here = await roundsSince(store, { steps: others }, parent.grantedAt);
  return here + (await roundsAbove(store, { id: parent.id, start: history.start }));
};
