import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../base/errors.ts";
import { holderText, processHolder } from "../base/process-holder.ts";
import { holdLease, type Lease, type LeaseStore } from "../store/hold-lease.ts";

const TTL_MS = 60_000;
const WAIT_MS = 15 * 60_000;

/**
 * Runs `work` while no other process of this machine works on the directory; one that has died holds up nobody.
 * Throws `repository-busy` (retry). `work` is given a signal that fires when the lock cannot be kept.
 */
export const withDirectoryLock = async <T>(
  store: LeaseStore,
  directory: string,
  { signal, work }: { signal: AbortSignal; work: (signal: AbortSignal) => Promise<T> },
): Promise<T> => {
  const lost = new AbortController();
  const lease = await take(store, directory, { signal, onLost: (error) => lost.abort(error) });
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    await lease.release();
  }
};

const take = async (
  store: LeaseStore,
  directory: string,
  { signal, onLost }: { signal: AbortSignal; onLost: (error: unknown) => void },
): Promise<Lease> => {
  const busy = (other: string): AppError =>
    new AppError(`${holderText(other)} has been working on ${directory} for too long.`, {
      code: "repository-busy",
      remedy: "retry",
      hint: "Look whether that process hangs, and end it.",
    });
  const options = {
    key: `directory/${hostname()}${directory}`,
    holder: processHolder(),
    onLost,
    busy,
    ttlMs: TTL_MS,
  };
  for (const deadline = Date.now() + WAIT_MS; ; ) {
    try {
      return await holdLease(store, options);
    } catch (error) {
      const waits = error instanceof AppError && error.code === "repository-busy" && Date.now() < deadline;
      if (!waits) throw error;
    }
    await pause(20 + Math.random() * 60, undefined, { signal });
  }
};
