import { setTimeout as pause } from "node:timers/promises";

const ANSWER_MS = 10_000;
/** For what makes the engine work. */
export const WORK_MS = 60_000;

/** What the engine answers. Rejects when that takes too long: a connection may stay silent for ever. */
export const answered = async <T>(
  ask: (abortSignal: AbortSignal) => Promise<T>,
  mostMs = ANSWER_MS,
): Promise<T> => {
  const over = new AbortController();
  const late = pause(mostMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`nothing within ${mostMs / 1000} seconds`);
  });
  try {
    return await Promise.race([ask(over.signal), late]);
  } finally {
    over.abort();
  }
};
