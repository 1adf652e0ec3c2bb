/**
 * Answers what `make` made of a key, and makes it anew only when it is not among the `most` that were asked for last. What
 * fails is not kept.
 */
export const recent = <K, V extends object>(
  make: (key: K) => Promise<V>,
  { most }: { most: number },
): ((key: K) => Promise<V>) => {
  const known = new Map<K, V>();
  return async (key) => {
    const value = known.get(key) ?? (await make(key));
    // A map is in the order in which its keys were set.
    known.delete(key);
    known.set(key, value);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return value;
  };
};
