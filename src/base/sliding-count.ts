/** Keys that are counted at once: those that were counted longest ago go first. */
const MOST_KEYS = 10_000;

/** Counts how often something was done under a key within the last `forMs` milliseconds, this time included; never beyond `most` + 2. */
export const slidingCount = ({ most, forMs, now }: { most: number; forMs: number; now: () => number }) => {
  const times = new Map<string, number[]>();
  return (key: string): number => {
    const at = now();
    const within = (times.get(key) ?? []).filter((time) => at - time < forMs);
    if (within.length < most + 2) within.push(at);
    // A map is in the order in which its keys were set.
    times.delete(key);
    times.set(key, within);
    const [oldest] = times.keys();
    if (times.size > MOST_KEYS && oldest !== undefined) times.delete(oldest);
    return within.length;
  };
};
