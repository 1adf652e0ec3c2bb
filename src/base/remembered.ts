export type RememberOptions = {
  /** Keys that are remembered at once: those that were asked for longest ago go first. */
  most: number;
  /** Milliseconds from when a value was asked for. */
  forMs: number;
  now: () => number;
};

/**
 * Remembers the values of keys for a while. Whoever asks while a value is being made waits for the same one; what fails is not
 * remembered.
 */
export const remembered = <V>({ most, forMs, now }: RememberOptions) => {
  const known = new Map<string, { value: Promise<V>; until: number }>();
  return (key: string, make: () => Promise<V>): Promise<V> => {
    const before = known.get(key);
    const entry =
      before !== undefined && now() < before.until ? before : { value: make(), until: now() + forMs };
    // A map is in the order in which its keys were set.
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    if (entry !== before)
      entry.value.catch(() => {
        if (known.get(key) === entry) known.delete(key);
      });
    return entry.value;
  };
};
