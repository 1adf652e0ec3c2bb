import { AppError, configError, messageOf } from "../../base/errors.ts";

const BUSY = 5;
const LOCKED = 6;
const NOT_A_DATABASE = 26;

const problems: Readonly<Record<number, { code: string; problem: string; hint: string }>> = {
  8: {
    code: "store-readonly",
    problem: "cannot be written",
    hint: "Make the file and its directory writable by this user.",
  },
  10: {
    code: "store-io",
    problem: "cannot be read or written",
    hint: "Check the disk; a network file system will not do.",
  },
  11: {
    code: "store-corrupt",
    problem: "is damaged",
    hint: "Restore it from a backup, or move it away to begin anew.",
  },
  13: {
    code: "store-full",
    problem: "cannot grow: the disk is full",
    hint: "Free some space, then try again.",
  },
  14: {
    code: "store-unreachable",
    problem: "cannot be opened",
    hint: "Check that its directory exists and may be read and written by this user.",
  },
};

/** SQLite's primary result code (https://sqlite.org/rescode.html); undefined for other errors. */
const resultCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;

/** SQLite's SQLITE_CONSTRAINT_FOREIGNKEY. */
const FOREIGN_KEY = 787;

/** True when a row could not be deleted because another one refers to it. */
export const isStillReferredTo = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === FOREIGN_KEY;

/** True when another connection holds the lock that was asked for. */
export const isBusy = (error: unknown): boolean => {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
};

export const storeBusy = (path: string, waitedMs: number, cause: unknown): AppError =>
  new AppError(`the store ${path} was locked by another process for ${Math.round(waitedMs / 1000)} s`, {
    code: "store-busy",
    remedy: "retry",
    hint: "Another process is writing a lot, or was stopped in the middle: try again, or look for it.",
    cause,
  });

export const notAStore = (path: string, why: string): AppError =>
  configError(
    "store-corrupt",
    `the file ${path} is not a store: ${why}`,
    "Move the file away, or set UWF_STORAGE_ROOT to another directory.",
  );

/** What SQLite said, as an `AppError` that names the file; anything else as it is. */
export const storeFailure = (path: string, error: unknown): unknown => {
  if (error instanceof AppError) return error;
  const code = resultCode(error);
  if (code === NOT_A_DATABASE) return notAStore(path, messageOf(error));
  const known = problems[code ?? -1];
  if (known === undefined) return error;
  const failure = configError(
    known.code,
    `the store ${path} ${known.problem} (${messageOf(error)})`,
    known.hint,
  );
  failure.cause = error;
  return failure;
};
