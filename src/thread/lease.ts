import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { AppError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { type Store, threadLease } from "../store/store.ts";

const TTL_MS = 30_000;
const RENEW_MS = 10_000;

/** A name for this process that another on the same machine can see to be dead: host, pid, start time, a random part. */
export const processHolder = (): string =>
  [hostname(), process.pid, startOf(process.pid) ?? "0", randomBytes(4).toString("hex")].join(":");

export type Lease = { holder: string; release(): Promise<void> };

/**
 * Takes the thread's lease and keeps it until `release`. The lease of a process that has died on this machine
 * is taken over at once. Throws `thread-busy` (retry) while another holds it; `onLost` is called when the lease
 * cannot be kept.
 */
export const holdThread = async (
  store: Store,
  options: { thread: ThreadId; holder: string; onLost: (error: unknown) => void },
): Promise<Lease> => {
  const key = threadLease(options.thread);
  if (!(await take(store, { key, holder: options.holder }))) {
    const other = await store.leaseHolder(key);
    throw new AppError(`Thread ${options.thread} is being run by another process (${other ?? "unknown"}).`, {
      code: "thread-busy",
      remedy: "retry",
      hint: "Wait for it, or follow it with `uwf thread show`.",
    });
  }
  const timer = setInterval(() => {
    store
      .lease(key, options.holder, TTL_MS)
      .then((kept) => kept || options.onLost(new Error("another process took the lease")), options.onLost);
  }, RENEW_MS);
  timer.unref();
  return {
    holder: options.holder,
    release: async () => {
      clearInterval(timer);
      await store.release(key, options.holder);
    },
  };
};

const take = async (store: Store, { key, holder }: { key: string; holder: string }): Promise<boolean> => {
  if (await store.lease(key, holder, TTL_MS)) return true;
  const other = await store.leaseHolder(key);
  if (other !== undefined && isDead(other)) await store.release(key, other);
  return store.lease(key, holder, TTL_MS);
};

const isDead = (holder: string): boolean => {
  const [host, pid, start] = holder.split(":");
  if (host !== hostname() || pid === undefined) return false;
  const startNow = startOf(Number(pid));
  if (startNow !== null) return startNow !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

/**
 * The process's start time in clock ticks (proc(5), field 22), which tells a reused pid; "ended" for one that has ended
 * and that its parent has not yet asked about (field 3); null where /proc is not there.
 */
const startOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "ended" : (fields[19] ?? null);
  } catch {
    return null;
  }
};
