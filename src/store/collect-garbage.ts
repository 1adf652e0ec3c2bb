import { AppError } from "../base/errors.ts";
import { holderText } from "../base/process-holder.ts";
import { holdLease } from "./hold-lease.ts";
import type { Collection, CollectOptions, Store } from "./store.ts";

export const HOUR_MS = 60 * 60_000;

/** A role may work for a day before its step refers to what it has put: nodes are kept for twice as long. */
export const GRACE_HOURS = 48;

type GarbageOptions = Partial<CollectOptions> & {
  /** This process: see `processHolder`. */
  holder: string;
};

/**
 * Collects while nobody else does. Throws `collecting` (retry) while another process does, `lease-lost` (retry) when this one
 * may not be alone any more, and what the store throws.
 */
export const collectGarbage = async (
  store: Pick<Store, "collect" | "lease" | "release" | "leaseHolder">,
  { holder, signal, graceMs = GRACE_HOURS * HOUR_MS, ...options }: GarbageOptions,
): Promise<Collection> => {
  const lost = new AbortController();
  const lease = await holdLease(store, {
    key: "collection",
    holder,
    onLost: (error) => lost.abort(error),
    busy: (other) =>
      new AppError(`Nodes are being collected by ${holderText(other)} already.`, {
        code: "collecting",
        remedy: "retry",
        hint: "Wait until that is done.",
      }),
  });
  try {
    const signals = [lost.signal, ...(signal === undefined ? [] : [signal])];
    return await store.collect({ ...options, graceMs, signal: AbortSignal.any(signals) });
  } finally {
    await lease.release();
  }
};
