/** How passing failures are met. */
export type RetryPolicy = {
  /** How often a request is made, all in all, while its failures are passing ones. */
  tries: number;
  /** Milliseconds before the first repetition; they double each time, up to `maxMs`. */
  baseMs: number;
  maxMs: number;
  /** Milliseconds that waits for rate limits may last together. */
  rateLimitWaitMs: number;
};

export const defaultRetryPolicy: RetryPolicy = {
  tries: 6,
  baseMs: 1000,
  maxMs: 60_000,
  rateLimitWaitMs: 15 * 60_000,
};

/**
 * Milliseconds before repetition number `count` (from 1): exponential, the upper half of it at random, so that many
 * waiters do not come back together; never less than the server asked for.
 */
export const waitBefore = (count: number, askedMs: number | null, policy: RetryPolicy): number => {
  const full = Math.min(policy.maxMs, policy.baseMs * 2 ** (count - 1));
  const backOff = full / 2 + Math.random() * (full / 2);
  return Math.round(Math.max(backOff, askedMs === null ? 0 : askedMs + Math.random() * policy.baseMs * 0.25));
};
