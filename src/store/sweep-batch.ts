/** What the deletions of one transaction should take, with its commit: others wait for so long. */
export const BATCH_MS = 18;

/** Between two batches: who waits to write may ask for the lock only each millisecond or two. */
export const PAUSE_MS = 3;

/** Nodes of the first transaction. */
export const FIRST_BATCH = 100;

const LEAST = 25;
const MOST = 1_000;

/** How many nodes come next, after a transaction with so many took so long (milliseconds). */
export const nextBatch = (size: number, tookMs: number): number =>
  Math.round(Math.min(MOST, Math.max(LEAST, size * Math.min(2, BATCH_MS / tookMs))));
