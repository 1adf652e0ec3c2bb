import type { ThreadId } from "../base/ids.ts";
import type { Payload } from "../store/payload.ts";
import type { Store } from "../store/store.ts";

type Reader = Pick<Store, "thread" | "load">;

/**
 * The thread that has the workspace, the branch and the comment: the one itself, or the topmost of those in which it plays a
 * role. One that is gone ends the way up.
 */
export const rootOf = async (
  store: Reader,
  id: ThreadId,
  { parentThread }: Pick<Payload<"thread-start">, "parentThread">,
): Promise<ThreadId> => {
  if (parentThread === null) return id;
  const parent = await store.thread(parentThread as ThreadId);
  return parent === undefined ? id : rootOf(store, parent.id, await store.load("thread-start", parent.start));
};

/** The threads that play, or have played, a role in this one; newest first. */
export const childrenOf = (store: Pick<Store, "linkedThreads">, id: ThreadId): Promise<ThreadId[]> =>
  store.linkedThreads("parent", id);
