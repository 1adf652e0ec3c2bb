import { AppError, type AppErrorOptions, messageOf } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { retryAfterMs } from "../retry-after.ts";

/** A refusal that names no time. */
const DEFAULT_WAIT_MS = 60_000;
const MAX_MESSAGE_CHARS = 300;

/** What Forgejo, or a proxy before it, answered instead of what was asked for. */
export type Refusal = { status: number; retryAfter: string | null; body: string };

/** The HTTP status of a failed request; undefined for other failures. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof AppError && isObject(error.cause) && typeof error.cause.status === "number"
    ? error.cause.status
    : undefined;

/** `what` completes "Forgejo: could not …". */
export const refused = (what: string, refusal: Refusal): AppError => {
  const { status } = refusal;
  const said = saidIn(refusal.body);
  return new AppError(`Forgejo: could not ${what}: ${said === "" ? "" : `${said} `}(status ${status})`, {
    ...verdictOn(refusal),
    cause: { status },
  });
};

/** The server says to ask elsewhere: the token goes nowhere but to its own. */
export const movedTo = (what: string, target: string): AppError =>
  new AppError(`Forgejo: could not ${what}: the request is sent on to ${target}`, {
    code: "forge-moved",
    remedy: "fix-config",
    hint: "Set FORGEJO_URL to the server's own address.",
  });

/** No answer came, or not in time. */
export const unreachable = (what: string, error: unknown): AppError => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : "";
  return new AppError(`Forgejo: could not ${what}: ${messageOf(error)}${cause}`, {
    code: "forge-unavailable",
    remedy: "retry",
    cause: error,
  });
};

/** The answer is not what Forgejo's API says; perhaps it is a proxy's. */
export const unclear = (what: string, problem: string): AppError =>
  new AppError(`Forgejo: could not ${what}: its answer cannot be read: ${problem}`, {
    code: "forge-unclear",
    remedy: "retry",
    hint: "Check that FORGEJO_URL is the server's own address, and what it answers to this request.",
  });

const verdictOn = ({ status, retryAfter }: Refusal): AppErrorOptions => {
  if (status >= 500 || status === 408 || status === 429) {
    const wait = retryAfter === null ? undefined : retryAfterMs(retryAfter);
    const waitMs = wait ?? (status === 429 ? DEFAULT_WAIT_MS : undefined);
    return {
      code: "forge-unavailable",
      remedy: "retry",
      ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    };
  }
  if (status === 401)
    return {
      code: "forge-denied",
      remedy: "fix-config",
      hint: "Check FORGEJO_TOKEN: it is unknown or revoked.",
    };
  if (status === 403)
    return {
      code: "forge-denied",
      remedy: "fix-config",
      hint: "Give the token the scopes, and the bot's account the rights on the repository, that docs/forgejo.md names.",
    };
  if (status === 404 || status === 410)
    return {
      code: "forge-missing",
      remedy: "fix-input",
      hint: "Check the name, and that the bot's account may see the repository.",
    };
  return { code: "forge-refused", remedy: "fix-input" };
};

/** Forgejo's own words, where there are any. */
const saidIn = (body: string): string => {
  try {
    const answer: unknown = JSON.parse(body);
    const message = isObject(answer) && typeof answer.message === "string" ? answer.message : "";
    return message.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_CHARS);
  } catch {
    // Not Forgejo's: a proxy's page says nothing to anybody.
    return "";
  }
};
