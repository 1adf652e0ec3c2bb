import type { Hash } from "../base/ids.ts";
import { HOUR_MS } from "./collect-garbage.ts";
import type { Store } from "./store.ts";

type KeepOptions = {
  /** Those that are to stay, asked each time. */
  hashes(): Iterable<Hash>;
  /** Told why a round of renewals failed; the next one is made all the same. */
  failed(error: unknown): void;
  /** Milliseconds. Default: an hour. */
  everyMs?: number;
};

/**
 * Puts nodes again from time to time to which nothing refers yet, however long that takes: a collection takes what has not been put
 * for long. `close` ends that, and waits for a round that is under way.
 */
export const keepYoung = (
  store: Pick<Store, "get" | "put">,
  { hashes, failed, everyMs = HOUR_MS }: KeepOptions,
): { close(): Promise<void> } => {
  let round: Promise<void> | null = null;
  const renew = async (): Promise<void> => {
    for (const hash of [...hashes()]) {
      const node = await store.get(hash);
      if (node !== undefined) await store.put([node]);
    }
  };
  const timer = setInterval(() => {
    round ??= renew()
      .catch(failed)
      .finally(() => {
        round = null;
      });
  }, everyMs);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await round;
    },
  };
};
