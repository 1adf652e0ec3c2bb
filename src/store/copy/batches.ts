export type BatchOptions<T> = {
  /** Items in a batch at most. */
  count: number;
  /** What an item weighs, and how much ends a batch; one item alone may weigh more. */
  weight?: { of(item: T): number; most: number };
};

/** The same items in arrays. */
export async function* inBatches<T>(
  items: AsyncIterable<T>,
  { count, weight = { of: () => 0, most: 1 } }: BatchOptions<T>,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let weighs = 0;
  for await (const item of items) {
    batch.push(item);
    weighs += weight.of(item);
    if (batch.length < count && weighs < weight.most) continue;
    yield batch;
    batch = [];
    weighs = 0;
  }
  if (batch.length > 0) yield batch;
}

/** A store is asked about so many threads together. */
export const THREADS_AT_ONCE = 50;
