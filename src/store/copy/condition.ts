import { AppError, inputError } from "../../base/errors.ts";
import { holderText, isDead } from "../../base/process-holder.ts";
import { type ThreadStatus, threadLease } from "../store.ts";
import { inBatches, THREADS_AT_ONCE } from "./batches.ts";
import type { Side } from "./side.ts";

/** Throws `store-in-use` (retry) while a worker lives there or a thread is being run. */
export const requireIdle = async ({ store, name }: Side): Promise<void> => {
  const { workers } = await store.counts();
  if (workers > 0)
    throw inUse(
      workers === 1 ? `a worker uses ${name}` : `${workers} workers use ${name}`,
      "Stop `uwf start` and `uwf worker` everywhere, then try again; one that was killed counts for some time.",
    );
  for await (const threads of inBatches(store.allThreads(), { count: THREADS_AT_ONCE })) {
    const running = threads.filter(({ status }) => !hasEnded(status));
    const holders = await Promise.all(running.map(({ id }) => store.leaseHolder(threadLease(id))));
    for (const [place, { id }] of running.entries()) {
      const holder = holders[place];
      if (holder !== undefined && !isDead(holder))
        throw inUse(
          `thread ${id} in ${name} is being run by ${holderText(holder)}`,
          "Wait for it, or pause it with `uwf thread pause`; then try again.",
        );
    }
  }
};

const hasEnded = (status: ThreadStatus): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";

const inUse = (message: string, hint: string): AppError =>
  new AppError(message, { code: "store-in-use", remedy: "retry", hint });

/** Throws `store-damaged` (fix-input), which names a node, when one is not whole. */
export const requireSound = async ({ store, name }: Side): Promise<void> => {
  for await (const { hash, problem } of store.verify())
    throw inputError(
      "store-damaged",
      `node ${hash} in ${name} is damaged: ${problem}`,
      "`uwf cas verify` lists all damage. Restore that store from a backup, then try again.",
    );
};
