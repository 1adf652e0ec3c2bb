import { statfsSync } from "node:fs";
import { messageOf } from "../../base/errors.ts";
import { type DiskUse, diskUse } from "./disk-use.ts";
import { namelessBytes } from "./nameless-files.ts";

/** Of one thread's directories, in bytes and in files. */
export type DiskLimits = DiskUse;

/** One command that is watched. */
export type WatchedCommand = {
  /** Fires when the command has to end; its reason is a sentence for people. */
  limit: AbortSignal;
  /**
   * Tells its first process, which has a process namespace of its own. Without it nothing is known of files that were removed while
   * they are open.
   */
  began(pid: number): void;
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
export const diskWatch = (
  limits: DiskLimits,
): { begin(directories: readonly string[]): Promise<WatchedCommand> } => {
  const accounts = new Map<string, Account>();
  return {
    begin: async (directories) => {
      const [first] = directories;
      if (first === undefined)
        return { limit: new AbortController().signal, began: () => undefined, end: () => undefined };
      const account = accountOf(accounts, first);
      const controller = new AbortController();
      const begun = freeOn(first);
      let before: DiskUse | undefined;
      // What had been counted before may have been removed or added to by others since.
      let baseline: Baseline | undefined;
      let free = begun;
      let pid: number | undefined;
      const end = (reason: string): void => controller.abort(reason);
      const fail = (error: unknown): void =>
        end(`its use of the disk cannot be counted: ${messageOf(error)}`);
      const count = async (): Promise<void> => {
        const { lost } = account;
        const isTooMuch = (use: DiskUse) =>
          before !== undefined && exceeded(use, { limits, before }) !== null;
        account.counted = await diskUse(directories, isTooMuch);
        account.lost = lessBy(account.lost, lost);
        before ??= account.counted;
        baseline ??= { free: freeOn(first).bytes, named: account.counted.bytes };
        const over = exceeded(account.counted, { limits, before });
        if (over !== null) end(over);
      };
      const askForNameless = oneAtATime(async () => {
        if (pid === undefined || before === undefined || baseline === undefined) return;
        // Where a process keeps what it has open to itself, all is its own that nothing else explains.
        const unexplained = baseline.free - freeOn(first).bytes - (account.counted.bytes - baseline.named);
        const nameless = (await namelessBytes(pid, first)) ?? Math.max(0, unexplained);
        const over = exceeded({ ...account.counted, nameless }, { limits, before });
        if (over !== null) end(over);
      }, fail);
      const startCounting = oneAtATime(async () => {
        await count();
        askForNameless();
      }, fail);
      const look = (): void => {
        const now = freeOn(first);
        account.lost = {
          bytes: account.lost.bytes + Math.max(0, free.bytes - now.bytes),
          files: account.lost.files + Math.max(0, free.files - now.files),
        };
        free = now;
        if (isScarce(now, begun)) end("the disk is nearly full");
        else if (isWorthCounting(account, limits)) startCounting();
      };
      const tryToLook = (): void => {
        try {
          look();
        } catch (error) {
          fail(error);
        }
      };
      // What too much was counted of may have become more by now.
      if (mayBeTooMuch(account, limits)) await count().catch(fail);
      before ??= account.counted;
      baseline = undefined;
      free = freeOn(first);
      const timer = setInterval(tryToLook, EVERY_MS);
      return {
        limit: controller.signal,
        began: (process) => {
          pid = process;
        },
        end: () => {
          clearInterval(timer);
          tryToLook();
        },
      };
    },
  };
};

/** Starts the work, unless it is under way. */
const oneAtATime = (work: () => Promise<void>, onError: (error: unknown) => void): (() => void) => {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    work()
      .catch(onError)
      .finally(() => {
        isUnderWay = false;
      });
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

const lessBy = (use: DiskUse, by: DiskUse): DiskUse => ({
  bytes: Math.max(0, use.bytes - by.bytes),
  files: Math.max(0, use.files - by.files),
});

const mayBeTooMuch = ({ counted, lost }: Account, limits: DiskLimits): boolean =>
  counted.bytes + lost.bytes > limits.bytes || counted.files + lost.files > limits.files;

/**
 * What was too much before the command is not its fault: it may be there to remove it. `nameless`: bytes of files that were removed
 * while the command has them open, which take their room, and no count of directories finds them.
 */
const exceeded = (
  now: DiskUse & { nameless?: number },
  { limits, before }: { limits: DiskLimits; before: DiskUse },
): string | null => {
  const { nameless = 0 } = now;
  if (now.bytes + nameless > Math.max(limits.bytes, before.bytes)) {
    const part = nameless === 0 ? "" : `, ${mib(nameless)} of them in files that have no name any more,`;
    return `the workspace has ${mib(now.bytes + nameless)} MiB${part} and may have ${mib(limits.bytes)}`;
  }
  if (now.files > Math.max(limits.files, before.files))
    return `the workspace has ${now.files} files and may have ${limits.files}`;
  return null;
};

const mib = (bytes: number): number => Math.round(bytes / MIB);
