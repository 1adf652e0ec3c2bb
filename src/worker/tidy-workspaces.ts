import { AppError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Engine } from "../thread/engine.ts";
import { holdThread } from "../thread/lease.ts";

type Parts = Pick<Engine, "store" | "workspaces" | "holder" | "log">;

/**
 * Gives back the workspaces that were left here: their threads have completed, or were opened on another machine since.
 * One whose thread is being run somewhere waits for the next time; one of a thread that the store does not know stays.
 */
export const tidyWorkspaces = async (parts: Parts): Promise<void> => {
  for (const thread of await parts.workspaces.threads()) {
    try {
      if (await isLeftover(parts, thread)) await giveBack(parts, thread);
    } catch (error) {
      const level = error instanceof AppError && error.code === "thread-busy" ? "debug" : "warn";
      parts.log[level]({ thread, error: messageOf(error) }, "cannot give a left workspace back");
    }
  }
};

const isLeftover = async ({ store, workspaces }: Parts, thread: ThreadId): Promise<boolean> => {
  const record = await store.thread(thread);
  if (record === undefined || record.status === "completed") return record !== undefined;
  const lastAt = await store.link(thread, "workspace");
  return lastAt !== undefined && lastAt !== (await workspaces.place());
};

/** Whoever takes the thread up here meanwhile has its lease, and says soon that it is here. */
const giveBack = async (parts: Parts, thread: ThreadId): Promise<void> => {
  const { store, workspaces, holder, log } = parts;
  const lease = await holdThread(store, {
    thread,
    holder,
    onLost: (error) => log.warn({ thread, error: messageOf(error) }, "lost the thread's lease"),
  });
  try {
    if (await isLeftover(parts, thread)) await workspaces.close(thread);
  } finally {
    await lease.release();
  }
};
