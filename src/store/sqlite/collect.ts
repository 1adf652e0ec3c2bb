import { once } from "node:events";
import { AppError, type AppErrorOptions } from "../../base/errors.ts";
import { startThread } from "../../base/start-thread.ts";
import { oldBefore } from "../renewal.ts";
import type { Collection, Store } from "../store.ts";
import type { RetryOptions } from "./retry.ts";

/** What a collection's thread is given. */
export type CollectionTask = RetryOptions & {
  /** Nodes that were renewed at this time or later are kept (milliseconds since the epoch). */
  oldBefore: number;
  dryRun: boolean;
};

/** What it answers: errors lose their class on the way between threads. */
export type CollectionAnswer =
  | { collection: Omit<Collection, "ms"> }
  | { failure: Pick<AppErrorOptions, "code" | "remedy"> & { message: string; hint: string | undefined } }
  | { stopped: true };

/** Collects in a thread of its own: a commit may wait for the disk, and this process has others to serve. */
export const collectStore = (options: RetryOptions, now: () => number): Pick<Store, "collect"> => ({
  collect: async ({ graceMs, dryRun = false, signal }) => {
    signal?.throwIfAborted();
    const began = performance.now();
    const task: CollectionTask = { ...options, oldBefore: oldBefore(now(), graceMs), dryRun };
    const answer = await askThread(task, signal);
    if ("failure" in answer) throw errorOf(answer.failure);
    if ("stopped" in answer) throw signal?.reason;
    return { ...answer.collection, ms: performance.now() - began };
  },
});

const askThread = async (
  task: CollectionTask,
  signal: AbortSignal | undefined,
): Promise<CollectionAnswer> => {
  const thread = startThread(new URL("./collection-thread.ts", import.meta.url), task);
  const stop = (): void => thread.postMessage("stop");
  signal?.addEventListener("abort", stop);
  try {
    const [answer] = (await once(thread, "message")) as [CollectionAnswer];
    return answer;
  } finally {
    signal?.removeEventListener("abort", stop);
    await thread.terminate();
  }
};

const errorOf = ({
  message,
  hint,
  ...options
}: Extract<CollectionAnswer, { failure: unknown }>["failure"]): AppError =>
  new AppError(message, { ...options, ...(hint === undefined ? {} : { hint }) });
