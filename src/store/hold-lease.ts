import { type AppError, messageOf } from "../base/errors.ts";
import { isDead, randomPart } from "../base/process-holder.ts";
import type { Store } from "./store.ts";

const TTL_MS = 30_000;

export type LeaseStore = Pick<Store, "lease" | "release" | "leaseHolder">;

/** `holder` is the process's name and a part of this hold's own, so that two holds of one process exclude each other too. */
export type Lease = { holder: string; release(): Promise<void> };

export type LeaseOptions = {
  key: string;
  /** The process: see `processHolder`. */
  holder: string;
  /** Called once when the lease cannot be kept. */
  onLost: (error: unknown) => void;
  /** What is thrown while `other` holds it. */
  busy: (other: string) => AppError;
  /** How long the lease outlives its holder on another machine; it is renewed three times as often. */
  ttlMs?: number;
};

/**
 * Takes a lease and keeps it until `release`. That of a process that has died on this machine is taken over at once.
 * A renewal that fails is made again for as long as the lease lasts.
 */
export const holdLease = async (store: LeaseStore, options: LeaseOptions): Promise<Lease> => {
  const { key, ttlMs = TTL_MS } = options;
  const holder = `${options.holder}:${randomPart()}`;
  if (!(await take(store, { key, holder, ttlMs })))
    throw options.busy((await store.leaseHolder(key)) ?? "unknown");
  let until = Date.now() + ttlMs;
  let lost = false;
  const lose = (error: unknown) => {
    if (!lost) options.onLost(error);
    lost = true;
  };
  const renew = async () => {
    const askedAt = Date.now();
    try {
      if (await store.lease(key, holder, ttlMs)) until = askedAt + ttlMs;
      else lose(new Error("another process took the lease"));
    } catch (error) {
      if (Date.now() >= until) lose(new Error(`the lease could not be renewed: ${messageOf(error)}`));
    }
  };
  let renewal: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewal = renewal.then(renew);
  }, ttlMs / 3);
  timer.unref();
  return {
    holder,
    release: async () => {
      clearInterval(timer);
      // A renewal that came after the release would take the lease again.
      await renewal;
      await store.release(key, holder);
    },
  };
};

const take = async (
  store: LeaseStore,
  { key, holder, ttlMs }: { key: string; holder: string; ttlMs: number },
): Promise<boolean> => {
  if (await store.lease(key, holder, ttlMs)) return true;
  const other = await store.leaseHolder(key);
  if (other !== undefined && isDead(other)) await store.release(key, other);
  return store.lease(key, holder, ttlMs);
};
