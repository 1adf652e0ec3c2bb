import { z } from "zod";
import { clockSteps } from "../../base/clock.ts";
import { AppError, type AppErrorOptions, messageOf } from "../../base/errors.ts";
import { retryAfterMs } from "../retry-after.ts";

/** What Octokit throws when a request failed; a failure below HTTP has the status 500. */
const RequestFailure = z.object({
  status: z.int(),
  response: z.object({ headers: z.record(z.string(), z.unknown()) }).optional(),
});
type RequestFailure = z.output<typeof RequestFailure>;

/** GitHub asks for a minute where a limit names no time. */
const DEFAULT_WAIT_MS = 60_000;

/** The HTTP status of a failed request; undefined for other failures. */
export const statusOf = (error: unknown): number | undefined => failureOf(error)?.status;

/** Runs `call`; its failure becomes an `AppError` that says what was tried, judged by the status alone. */
export const ask = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
  const clockSetMs = clockSteps();
  try {
    return await call();
  } catch (error) {
    throw githubError(error, what, { clockSetMs: clockSetMs() });
  }
};

/**
 * `what` completes "GitHub could not …". `clockSetMs`: by how much this machine's clock was set while GitHub was asked. What is no
 * failed request is given back as it is.
 */
export const githubError = (error: unknown, what: string, { clockSetMs = 0 } = {}): unknown => {
  const failure = failureOf(error);
  if (error instanceof AppError || failure === undefined) return error;
  return new AppError(`GitHub: could not ${what}: ${messageOf(error)} (status ${failure.status})`, {
    ...verdictOn(failure, clockSetMs),
    cause: error,
  });
};

const failureOf = (error: unknown): RequestFailure | undefined => RequestFailure.safeParse(error).data;

const verdictOn = (failure: RequestFailure, clockSetMs: number): AppErrorOptions => {
  const { status } = failure;
  const wait = waitOf(failure);
  if (status >= 500 || status === 408 || status === 429 || (status === 403 && wait !== undefined)) {
    const retryAfterMs = wait ?? (status === 429 ? DEFAULT_WAIT_MS : undefined);
    return {
      code: "forge-unavailable",
      remedy: "retry",
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  const clock = status === 401 ? clockHint(failure, clockSetMs) : null;
  // Another machine's may be right, and this one's will be.
  if (clock !== null) return { code: "clock-wrong", remedy: "retry", hint: clock };
  if (status === 401)
    return {
      code: "forge-denied",
      remedy: "fix-config",
      hint: "Check GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, and this machine's clock.",
    };
  if (status === 403 || status === 451)
    return {
      code: "forge-denied",
      remedy: "fix-config",
      hint: "Give the App the permissions of app.yml, accept them for the installation, and select the repository.",
    };
  if (status === 404 || status === 410)
    return {
      code: "forge-missing",
      remedy: "fix-input",
      hint: "Check the name, and that the App is installed on the repository.",
    };
  return { code: "forge-refused", remedy: "fix-input" };
};

/** What an App signs says when: GitHub takes nothing that is a minute early, or ten minutes old. */
const CLOCK_TOLERANCE_MS = 50_000;

/** Null while this machine's clock says the same as GitHub's, and did so when the request was signed. */
const clockHint = ({ response }: RequestFailure, clockSetMs: number): string | null => {
  if (Math.abs(clockSetMs) > CLOCK_TOLERANCE_MS)
    return "This machine's clock was set while GitHub was asked.";
  const ahead = Date.now() - Date.parse(String(response?.headers.date));
  if (!(Math.abs(ahead) > CLOCK_TOLERANCE_MS)) return null;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `Set this machine's clock: it is ${seconds} seconds ${ahead > 0 ? "ahead" : "behind"}.`;
};

/** Milliseconds until GitHub wants to be asked again, where it said so. */
const waitOf = ({ response }: RequestFailure): number | undefined => {
  const headers = response?.headers ?? {};
  const after = headers["retry-after"];
  if (after !== undefined) return retryAfterMs(String(after)) ?? DEFAULT_WAIT_MS;
  if (String(headers["x-ratelimit-remaining"]) !== "0") return undefined;
  const reset = Number(headers["x-ratelimit-reset"]);
  // A second more, because the reset has whole seconds.
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - Date.now()) + 1000 : DEFAULT_WAIT_MS;
};
