import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { AppError, messageOf } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { type Store, threadLease } from "../store/store.ts";

const TTL_MS = 30_000;

/** A name for this process that another on the same machine can see to be dead: host, pid, start time, a random part. */
export const processHolder = (): string =>
  [hostname(), process.pid, startOf(process.pid) ?? "0", random()].join(":");

const random = (): string => randomBytes(4).toString("hex");

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
export const holdLease = async (
  store: Pick<Store, "lease" | "release" | "leaseHolder">,
  options: LeaseOptions,
): Promise<Lease> => {
  const { key, ttlMs = TTL_MS } = options;
  const holder = `${options.holder}:${random()}`;
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

/** Holds the thread's lease. Throws `thread-busy` (retry) while another run holds it. */
export const holdThread = (
  store: Store,
  { thread, ...options }: { thread: ThreadId; holder: string; onLost: (error: unknown) => void },
): Promise<Lease> =>
  holdLease(store, {
    ...options,
    key: threadLease(thread),
    busy: (other) =>
      new AppError(`Thread ${thread} is being run by ${holderText(other)}.`, {
        code: "thread-busy",
        remedy: "retry",
        hint: "Wait for it, or follow it with `uwf thread show`.",
      }),
  });

const take = async (
  store: Pick<Store, "lease" | "release" | "leaseHolder">,
  { key, holder, ttlMs }: { key: string; holder: string; ttlMs: number },
): Promise<boolean> => {
  if (await store.lease(key, holder, ttlMs)) return true;
  const other = await store.leaseHolder(key);
  if (other !== undefined && isDead(other)) await store.release(key, other);
  return store.lease(key, holder, ttlMs);
};

/** A lease's holder for people: `process 4711 on host`. */
export const holderText = (holder: string): string => {
  const [host = "", pid] = holder.split(":");
  return pid === undefined ? holder : `process ${pid} on ${host}`;
};

/** Whether the process that holds a lease ran on this machine and has ended. */
export const isDead = (holder: string): boolean => {
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
