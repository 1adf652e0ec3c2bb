import { once } from "node:events";
import { startThread } from "../../base/start-thread.ts";
import type { RetryOptions } from "./retry.ts";

/** Pages of the log, of 4 kB each, at which a sweep waits until all are in their place: the log begins anew then. */
const MOST_PAGES = 32_000;

/** What the thread says after each checkpoint. */
export type CheckpointState = { pages: number; left: number };

export type Checkpoints = {
  /** Waits while the log is too long. */
  caughtUp(): Promise<void>;
  end(): Promise<void>;
};

/**
 * Moves pages from the log to their place in the file, again and again, in a thread of its own: that waits for the disk, where
 * nobody else has to. While it does, other connections leave this to it.
 */
export const keepCheckpointing = (options: RetryOptions): Checkpoints => {
  const thread = startThread(new URL("./checkpoint-thread.ts", import.meta.url), options);
  let state: CheckpointState = { pages: 0, left: 0 };
  thread.on("message", (said: CheckpointState) => {
    state = said;
  });
  return {
    caughtUp: async () => {
      if (state.pages < MOST_PAGES) return;
      do await once(thread, "message");
      while (state.left > 0);
    },
    end: async () => {
      const ended = once(thread, "exit");
      thread.postMessage("stop");
      await ended;
    },
  };
};
