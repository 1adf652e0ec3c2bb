import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../base/errors.ts";
import type { Store } from "../store/store.ts";

const TTL_MS = 60_000;
const WAIT_MS = 15 * 60_000;

/** Runs `work` while no other process of this machine works on the directory. Throws `repository-busy` (retry). */
export const withDirectoryLock = async <T>(
  store: Pick<Store, "lease" | "release">,
  directory: string,
  { signal, work }: { signal: AbortSignal; work: () => Promise<T> },
): Promise<T> => {
  const key = `directory/${hostname()}${directory}`;
  const holder = randomUUID();
  await take(store, { key, holder, signal });
  const renewal = setInterval(() => {
    store.lease(key, holder, TTL_MS).catch(() => undefined);
  }, TTL_MS / 4);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await store.release(key, holder);
  }
};

const take = async (
  store: Pick<Store, "lease">,
  { key, holder, signal }: { key: string; holder: string; signal: AbortSignal },
): Promise<void> => {
  const deadline = Date.now() + WAIT_MS;
  while (!(await store.lease(key, holder, TTL_MS))) {
    if (Date.now() > deadline)
      throw new AppError(`another process has been working on ${key} for too long`, {
        code: "repository-busy",
        remedy: "retry",
      });
    await pause(20 + Math.random() * 60, undefined, { signal });
  }
};
