import { statfsSync } from "node:fs";
import { messageOf } from "../../base/errors.ts";
import { type DiskUse, diskUse } from "./disk-use.ts";

/** Of one thread's directories, in bytes and in files. */
export type DiskLimits = DiskUse;

/** One command that is watched. */
export type WatchedCommand = {
  /** Fires when the command has to end; its reason is a sentence for people. */
  limit: AbortSignal;
  end(): void;
};

const EVERY_MS = 50;
const MIB = 1024 * 1024;
/** Left to the engine, its store and the other threads. */
const RESERVE: DiskUse = { bytes: 1024 * MIB, files: 20_000 };
/** Smaller changes of a file system's free space prove nothing about a command. */
const NOISE: DiskUse = { bytes: 16 * MIB, files: 1_000 };
const REMEMBERED = 1_000;

/** Bytes that are free on the file system, and that files with names take, at one time. */
type Baseline = { free: number; named: number };

/** What is known of a thread's directories: their use when it was counted last, and what the disk has lost since. */
type Account = { counted: DiskUse; lost: DiskUse };

/**
 * Ends commands that fill the disk. Free space is asked for while a command runs, which costs next to nothing; only when
 * it has fallen by much are the command's own directories counted, so that nobody is ended for what others write.
 */
export const diskWatch = (limits: DiskLimits): { begin(directories: readonly string[]): WatchedCommand } => {
  const accounts = new Map<string, Account>();
  return {
    begin: (directories) => {
      const [first] = directories;
      if (first === undefined) return { limit: new AbortController().signal, end: () => undefined };
      const account = accountOf(accounts, first);
      const controller = new AbortController();
      const begun = freeOn(first);
      const before = account.counted;
      // What had been counted before may have been removed or added to by others since.
      let baseline: Baseline | undefined;
      let free = begun;
      let counting = false;
      const end = (reason: string): void => controller.abort(reason);
      const fail = (error: unknown): void =>
        end(`its use of the disk cannot be counted: ${messageOf(error)}`);
      const count = async (): Promise<void> => {
        const { lost } = account;
        account.lost = { bytes: 0, files: 0 };
        try {
          account.counted = await diskUse(directories, (use) => exceeded(use, { limits, before }) !== null);
        } catch (error) {
          // The next command is counted at once.
          account.lost = lost;
          throw error;
        }
        const counted = { free: freeOn(first).bytes, named: account.counted.bytes };
        baseline ??= counted;
        const over = exceeded(account.counted, { limits, before }) ?? nameless(counted, { baseline, limits });
        if (over !== null) end(over);
      };
      const look = (): void => {
        const now = freeOn(first);
        account.lost = {
          bytes: account.lost.bytes + Math.max(0, free.bytes - now.bytes),
          files: account.lost.files + Math.max(0, free.files - now.files),
        };
        free = now;
        if (isScarce(now, begun)) end("the disk is nearly full");
        else if (!counting && isWorthCounting(account, limits)) {
          counting = true;
          count()
            .catch(fail)
            .finally(() => {
              counting = false;
            });
        }
      };
      const tryToLook = (): void => {
        try {
          look();
        } catch (error) {
          fail(error);
        }
      };
      const timer = setInterval(tryToLook, EVERY_MS);
      return {
        limit: controller.signal,
        end: () => {
          clearInterval(timer);
          tryToLook();
        },
      };
    },
  };
};

const accountOf = (accounts: Map<string, Account>, directory: string): Account => {
  const nothing = { bytes: 0, files: 0 };
  const account = accounts.get(directory) ?? { counted: nothing, lost: nothing };
  accounts.delete(directory);
  accounts.set(directory, account);
  const oldest = accounts.keys().next().value;
  if (accounts.size > REMEMBERED && oldest !== undefined) accounts.delete(oldest);
  return account;
};

/** File systems without a number of files answer 0 of 0. */
const freeOn = (directory: string): DiskUse => {
  const { bavail, bsize, files, ffree } = statfsSync(directory);
  return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
};

const isScarce = (now: DiskUse, begun: DiskUse): boolean =>
  (now.bytes < RESERVE.bytes && begun.bytes - now.bytes > NOISE.bytes) ||
  (now.files < RESERVE.files && begun.files - now.files > NOISE.files);

/** Half of what is left: counting gets more frequent as a limit comes nearer. */
const isWorthCounting = ({ counted, lost }: Account, limits: DiskLimits): boolean =>
  lost.bytes > Math.max(NOISE.bytes, (limits.bytes - counted.bytes) / 2) ||
  lost.files > Math.max(NOISE.files, (limits.files - counted.files) / 2);

/** What was too much before the command is not its fault: it may be there to remove it. */
const exceeded = (
  now: DiskUse,
  { limits, before }: { limits: DiskLimits; before: DiskUse },
): string | null => {
  if (now.bytes > Math.max(limits.bytes, before.bytes))
    return `the workspace has ${mib(now.bytes)} MiB and may have ${mib(limits.bytes)}`;
  if (now.files > Math.max(limits.files, before.files))
    return `the workspace has ${now.files} files and may have ${limits.files}`;
  return null;
};

/** A file that was removed while it is open takes its room, and no count of directories finds it. */
const nameless = (
  now: Baseline,
  { baseline, limits }: { baseline: Baseline; limits: DiskLimits },
): string | null => {
  const lost = baseline.free - now.free - (now.named - baseline.named);
  return lost > limits.bytes ? `files that have no name any more take ${mib(lost)} MiB of the disk` : null;
};

const mib = (bytes: number): number => Math.round(bytes / MIB);
