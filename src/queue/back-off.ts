import { AppError } from "../base/errors.ts";

const SECOND = 1_000;
/** Between two tries at what fails. */
const LONGEST_MS = 5 * 60 * SECOND;
/** An error that asks for more is asked again before. */
const LONGEST_ASKED_MS = 60 * 60 * SECOND;
/** Whoever has the thread may have died: its lease ends within half a minute, and then somebody should be there. */
const BUSY_MS = 5 * SECOND;
const BUSY_TRIES = 8;
const LONGEST_BUSY_MS = 60 * SECOND;

/** A job that ended in what does not heal is left alone for so long, even if the store still says that there is work. */
export const REST_MS = 5 * 60 * SECOND;

/**
 * Milliseconds until a job whose handler threw comes again, after `tries` tries that failed (this one counts); null
 * when it would fail again.
 */
export const delayAfter = (error: unknown, tries: number): number | null => {
  if (!(error instanceof AppError) || error.remedy !== "retry") return null;
  if (error.retryAfterMs !== undefined)
    return Math.min(Math.max(error.retryAfterMs, SECOND), LONGEST_ASKED_MS);
  const doubled = SECOND * 2 ** Math.min(tries - 1, 20);
  if (!isBusy(error)) return Math.min(doubled, LONGEST_MS);
  return tries <= BUSY_TRIES ? Math.min(doubled, BUSY_MS) : LONGEST_BUSY_MS;
};

/** Others are at work on the thread or the issue, and it is not the job's turn: nothing is wrong. */
export const isBusy = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "thread-busy" || error.code === "subject-busy");
