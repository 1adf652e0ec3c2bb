import { performance } from "node:perf_hooks";
import { AppError, messageOf } from "../base/errors.ts";
import { isDead, randomPart } from "../base/process-holder.ts";
import type { Store } from "./store.ts";

const TTL_MS = 30_000;

export type LeaseStore = Pick<Store, "lease" | "release" | "leaseHolder">;

export type Lease = {
  /** The process's name and a part of this hold's own, so that two holds of one process exclude each other too. */
  holder: string;
  /**
   * Renews the lease now, before something that others see and that cannot be taken back: this process may have stood
   * still for longer than it knows. Throws `lease-lost` (retry), and what the store throws.
   */
  ensure(): Promise<void>;
  release(): Promise<void>;
};

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
 * A renewal that fails is made again for as long as the lease lasts. One that has run out is never taken again: others
 * may have had it in between. Time is counted by a clock that nobody sets.
 */
export const holdLease = async (store: LeaseStore, options: LeaseOptions): Promise<Lease> => {
  const { key, ttlMs = TTL_MS } = options;
  const holder = `${options.holder}:${randomPart()}`;
  let until = performance.now() + ttlMs;
  if (!(await take(store, { key, holder, ttlMs })))
    throw options.busy((await store.leaseHolder(key)) ?? "unknown");
  let lost: AppError | null = null;
  const lose = (why: string) => {
    if (lost !== null) return;
    lost = new AppError(`The lease ${key} is lost: ${why}.`, { code: "lease-lost", remedy: "retry" });
    options.onLost(lost);
  };
  const loseIfOver = (why: string) => {
    if (performance.now() >= until) lose(why);
  };
  const renew = async (): Promise<void> => {
    loseIfOver("it was not renewed in time");
    if (lost !== null) return;
    const askedAt = performance.now();
    const isHeld = (await store.leaseHolder(key)) === holder && (await store.lease(key, holder, ttlMs));
    if (isHeld) until = askedAt + ttlMs;
    else lose("another process may have had it");
  };
  let renewal: Promise<void> = Promise.resolve();
  /** One renewal at a time; each caller is told how its own went. */
  const renewInTurn = (): Promise<void> => {
    const mine = renewal.then(renew);
    renewal = mine.catch((error: unknown) => loseIfOver(`it could not be renewed: ${messageOf(error)}`));
    return mine;
  };
  const timer = setInterval(() => {
    // A renewal that gets no answer keeps the next one waiting, but not the time.
    loseIfOver("it was not renewed in time");
    // A failure is told when the lease is over because of it.
    renewInTurn().catch(() => undefined);
  }, ttlMs / 3);
  timer.unref();
  return {
    holder,
    ensure: async () => {
      await renewInTurn();
      if (lost !== null) throw lost;
    },
    release: async () => {
      clearInterval(timer);
      // It is over by itself, and a store that did not answer in time may not answer now.
      if (lost !== null) return;
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
