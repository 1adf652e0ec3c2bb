import { AppError } from "../base/errors.ts";
import type { Store } from "../store/store.ts";

/** Deliveries of one installation that may wait. */
const MOST = 10_000;
/** A count of the store's holds for so long, with what this process has added to it since. */
const HELD_MS = 1_000;

type Line = { count: Promise<number>; at: number; added: number };

/**
 * Takes a place for one more delivery of an installation. Throws `deliveries-full` (retry) when as many wait as may, give or take
 * what all processes take within a second: what is refused is on the forge's list of failed deliveries, and can be sent again
 * from there.
 */
export const fullLines = (
  { store, now }: { store: Pick<Store, "pendingOf">; now: () => number },
  most = MOST,
): ((installation: string) => Promise<void>) => {
  const lines = new Map<string, Line>();
  const counted = (installation: string): Line => {
    const known = lines.get(installation);
    if (known !== undefined && Math.abs(now() - known.at) < HELD_MS) return known;
    for (const [key, { at }] of lines) if (Math.abs(now() - at) >= HELD_MS) lines.delete(key);
    const line = { count: store.pendingOf(installation), at: now(), added: 0 };
    lines.set(installation, line);
    return line;
  };
  return async (installation) => {
    const line = counted(installation);
    const count = await line.count;
    if (count + line.added >= most)
      throw new AppError(`${most} deliveries of ${installation} wait already`, {
        code: "deliveries-full",
        remedy: "retry",
      });
    line.added++;
  };
};
