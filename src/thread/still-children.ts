import type { ThreadId } from "../base/ids.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { isEnded, isRunnable } from "./state.ts";
import { childrenOf } from "./tree.ts";

const REASON = "The thread in which it plays a role has failed.";

/**
 * Stops the threads that play roles in one that has failed: nobody runs them without it. Paused, they go on with it when a person
 * resumes it. In a thread that plays a role itself nobody takes them up again: they are cancelled.
 */
export const stillChildren = async (
  { store }: Pick<Engine, "store">,
  { id, start }: Pick<ThreadRecord, "id" | "start">,
): Promise<void> => {
  const { parentThread } = await store.load("thread-start", start);
  await still(store, id, parentThread === null ? "paused" : "cancelled");
};

const still = async (
  store: Engine["store"],
  parent: ThreadId,
  status: "paused" | "cancelled",
): Promise<void> => {
  for (const id of await childrenOf(store, parent)) {
    let record = await store.thread(id);
    // A question stays one.
    while (record !== undefined && (status === "paused" ? isRunnable : isOpen)(record.status)) {
      const { status: before } = record;
      record =
        (await store.advance(id, { status: before }, { status, reason: REASON })) ?? (await store.thread(id));
    }
    if (record !== undefined && (record.status === status || isOpen(record.status)))
      await still(store, id, status);
  }
};

const isOpen = (status: ThreadRecord["status"]): boolean => !isEnded(status);
