import { setTimeout } from "node:timers/promises";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { kindOf, storeBusy, storeFailure, storeUnreachable } from "./failure.ts";

export type RetryOptions = {
  /** Named in errors. */
  name: string;
  /** Milliseconds after which it gives up. */
  patienceMs: number;
  log: Log;
  /** Ends the pauses. */
  signal: AbortSignal;
};

/**
 * Does `work` again, after a random pause that grows, while the database cannot be reached, and soon after a rival's
 * transaction undid it. Throws `store-unreachable` or `store-busy` (retry) when its patience is over.
 */
export const retryLost = async <T>(work: () => Promise<T>, options: RetryOptions): Promise<T> => {
  const { name, patienceMs, log, signal } = options;
  const began = performance.now();
  let wasLost = false;
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work();
      if (wasLost) log.info({ store: name }, "the store answers again");
      return result;
    } catch (error) {
      const kind = kindOf(error);
      if (kind === "final") throw storeFailure(name, error);
      if (performance.now() - began >= patienceMs)
        throw kind === "rival" ? storeBusy(name, error) : storeUnreachable(name, error);
      if (kind === "lost" && !wasLost) {
        wasLost = true;
        log.warn({ store: name, error: messageOf(error) }, "the store does not answer; trying again");
      }
      const longest = kind === "rival" ? 20 : Math.min(1_000, 20 * 2 ** Math.min(attempt, 10));
      await setTimeout(1 + Math.random() * longest, undefined, { signal });
    }
  }
};
