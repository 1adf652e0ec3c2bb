import type { ThreadId } from "../base/ids.ts";
import type { StepRecord, Store, ThreadRecord } from "../store/store.ts";
import { suspension } from "./moderator.ts";
import { isEnded } from "./state.ts";

/**
 * The thread whose question was the answer of another one's last step; null when that did not stop like that, when the one that asked
 * has ended since, and for a fork, whose last step's child is another thread's.
 */
export const waitingChild = async (
  store: Pick<Store, "thread" | "link">,
  { parent, last }: { parent: ThreadId; last: StepRecord | undefined },
): Promise<ThreadRecord | null> => {
  const id = last?.step.childThreadId as ThreadId | undefined;
  if (last === undefined || id === undefined || suspension(last.output) === null) return null;
  const child = await store.thread(id);
  if (child === undefined || isEnded(child.status)) return null;
  return (await store.link(child.id, "parent")) === parent ? child : null;
};
