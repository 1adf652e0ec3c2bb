import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

const LONGEST_REST_MS = 250;

/**
 * While `work` runs, all who ask share its next run, which begins after they asked: what they want done is done when
 * their promise resolves. With `rests`, so many times as long as a run took nothing runs after it: the dearer it is, the more
 * of those who ask share one.
 */
export const coalesced = (
  work: () => Promise<void>,
  { rests = 0 }: { rests?: number } = {},
): (() => Promise<void>) => {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  let notBefore = 0;
  const run = async (): Promise<void> => {
    const begun = performance.now();
    try {
      await work();
    } finally {
      const ended = performance.now();
      notBefore = ended + Math.min(rests * (ended - begun), LONGEST_REST_MS);
    }
  };
  return () => {
    const begin = async (): Promise<void> => {
      const rest = notBefore - performance.now();
      if (rest > 0) await pause(rest);
      next = null;
      current = run();
      return current;
    };
    next ??= current.then(begin, begin);
    return next;
  };
};
