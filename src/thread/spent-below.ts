import type { NewTurn } from "../agents/adapter.ts";
import type { ThreadId } from "../base/ids.ts";
import { addUsage, subtractUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { History, Store, ThreadRecord } from "../store/store.ts";
import { stepsSpent, turnsSpent } from "./spending.ts";
import { childrenOf } from "./tree.ts";

/** A thread's finished steps, and the turns of the one that is under way or did not finish. */
export type Chain = { history: History; turns: readonly NewTurn[] };

/** The chain of a thread as its record says. */
export const chainOf = async (
  store: Pick<Store, "history" | "turns">,
  { head, tip }: Pick<ThreadRecord, "head" | "tip">,
): Promise<Chain> => {
  const history = await store.history(head);
  const open = tip ?? history.end?.turns ?? null;
  return { history, turns: open === null ? [] : await store.turns(open) };
};

/** What a chain says that its thread has used, with all that it has noted of those that play its roles. */
export const chainSpent = ({ history, turns }: Chain): Usage =>
  addUsage(stepsSpent(history), turnsSpent(turns, 0).usage);

/** What a thread has noted of what another has used that plays, or has played, a role in it. */
export const notedOf = async (
  store: Pick<Store, "turns">,
  { history, turns }: Chain,
  child: ThreadId,
): Promise<Usage> => {
  const steps = history.steps.filter(({ step }) => step.childThreadId === child);
  const stored = await Promise.all(
    steps.map(({ step }) => (step.turns === null ? [] : store.turns(step.turns))),
  );
  return [...stored.flat(), ...turns].reduce(
    (sum, turn) => (turn.kind === "child" && turn.childThreadId === child ? addUsage(sum, turn.usage) : sum),
    zeroUsage(),
  );
};

/** What those that play a thread's roles have used and it has not noted yet: it does so when they stop. */
export const unnotedBelow = async (
  store: Pick<Store, "history" | "turns" | "thread" | "linkedThreads">,
  { id, chain }: { id: ThreadId; chain: Chain },
): Promise<Usage> => {
  let usage = zeroUsage();
  for (const child of await childrenOf(store, id)) {
    const record = await store.thread(child);
    if (record === undefined) continue;
    const below = await chainOf(store, record);
    const used = addUsage(chainSpent(below), await unnotedBelow(store, { id: child, chain: below }));
    usage = addUsage(usage, subtractUsage(used, await notedOf(store, chain, child)));
  }
  return usage;
};
