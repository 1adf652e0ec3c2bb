export type GatherOptions<T> = {
  /** Items, and the sum of their sizes, that go into one write; a single item may be larger. */
  most: number;
  mostSize: number;
  sizeOf: (item: T) => number;
  /** Writes under way at once. Default: 1 */
  atOnce?: number;
};

type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Turns a write of many into a write of one: what is asked for at the same time, or while as many writes are under way as
 * there may be, goes together into the next. When a write fails, everybody in it is told.
 */
export const gathered = <T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  { most, mostSize, sizeOf, atOnce = 1 }: GatherOptions<T>,
): ((item: T) => Promise<R>) => {
  let waiting: Waiting<T, R>[] = [];
  let writers = 0;

  const takeBatch = (): Waiting<T, R>[] => {
    let size = 0;
    const end = waiting.findIndex(({ item }, index) => {
      size += sizeOf(item);
      return index > 0 && (index >= most || size > mostSize);
    });
    const batch = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    return batch;
  };

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await write(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writers--;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (writers >= atOnce) return;
      writers++;
      // What else has come in this turn of the event loop belongs in the same write.
      setImmediate(() => void writeAll());
    });
};
