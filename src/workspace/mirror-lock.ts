import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../base/errors.ts";
import { holderText, processHolder } from "../base/process-holder.ts";
import { holdLease, type Lease, type LeaseStore } from "../store/hold-lease.ts";

const TTL_MS = 60_000;
const WAIT_MS = 15 * 60_000;

/** A directory, and the name by which everybody who can reach it knows it: see `placeName`. */
export type LockedDirectory = { directory: string; key: string };

/**
 * Runs `work` while no other process works on the directory; one that has died on this machine holds up nobody.
 * Throws `repository-busy` (retry). `work` is given a signal that fires when the lock cannot be kept.
 */
export const withDirectoryLock = async <T>(
  store: LeaseStore,
  locked: LockedDirectory,
  { signal, work }: { signal: AbortSignal; work: (signal: AbortSignal) => Promise<T> },
): Promise<T> => {
  const lost = new AbortController();
  const lease = await take(store, locked, { signal, onLost: (error) => lost.abort(error) });
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    await lease.release();
  }
};

const take = async (
  store: LeaseStore,
  { directory, key }: LockedDirectory,
  { signal, onLost }: { signal: AbortSignal; onLost: (error: unknown) => void },
): Promise<Lease> => {
  const busy = (other: string): AppError =>
    new AppError(`${holderText(other)} has been working on ${directory} for too long.`, {
      code: "repository-busy",
      remedy: "retry",
      hint: "Look whether that process hangs, and end it.",
    });
  const options = {
    key: `directory/${key}`,
    holder: processHolder(),
    onLost,
    busy,
    ttlMs: TTL_MS,
  };
  for (const deadline = performance.now() + WAIT_MS; ; ) {
    try {
      return await holdLease(store, options);
    } catch (error) {
      const waits = error instanceof AppError && error.code === "repository-busy";
      if (!waits || performance.now() >= deadline) throw error;
    }
    await pause(20 + Math.random() * 60, undefined, { signal });
  }
};
