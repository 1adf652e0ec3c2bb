/** Two readings of time, in milliseconds. */
export type Clock = {
  /** When something was: since the epoch, and wrong where the machine's clock is. */
  now(): number;
  /** How long something took: only differences mean anything, and nobody sets it. */
  elapsed(): number;
};

/** Answers by how much this machine's clock was set since, in milliseconds: its time beside one that nobody sets. */
export const clockSteps = (): (() => number) => {
  const lead = () => Date.now() - performance.now();
  const before = lead();
  return () => lead() - before;
};

/** This machine's; a `now` that is given stands for both. */
export const clockOf = (now: (() => number) | undefined): Clock =>
  now === undefined ? { now: Date.now, elapsed: () => performance.now() } : { now, elapsed: now };
