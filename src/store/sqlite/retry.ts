import { setTimeout } from "node:timers/promises";
import { isBusy, storeBusy } from "./failure.ts";

export type RetryOptions = {
  /** Named in the error. */
  path: string;
  /** Milliseconds after which it gives up. */
  limitMs: number;
};

/**
 * Does `work` again, after a short random pause, while another connection holds the lock that it needs. SQLite's own
 * busy handler sleeps ever longer, so that under several writers the unlucky one starves; it stays off.
 * Throws `store-busy` when the limit is over.
 */
export const retryBusy = async <T>(work: () => T, options: RetryOptions): Promise<T> => {
  const began = performance.now();
  for (;;) {
    const result = attempt(work, began, options);
    if (result !== undefined) return result.value;
    // Timers count whole milliseconds; going round the loop for less takes the time that the lock's holder needs.
    await setTimeout(Math.max(1, Math.round(pauseMs())));
  }
};

/** The same for opening, which answers at once: the pauses hold the whole thread. */
export const retryBusySync = <T>(work: () => T, options: RetryOptions): T => {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const began = performance.now();
  for (;;) {
    const result = attempt(work, began, options);
    if (result !== undefined) return result.value;
    Atomics.wait(clock, 0, 0, pauseMs());
  }
};

const pauseMs = (): number => 0.2 + Math.random() * 1.8;

const attempt = <T>(work: () => T, began: number, options: RetryOptions): { value: T } | undefined => {
  try {
    return { value: work() };
  } catch (error) {
    if (!isBusy(error)) throw error;
    const waited = performance.now() - began;
    if (waited > options.limitMs) throw storeBusy(options.path, waited, error);
    return undefined;
  }
};
