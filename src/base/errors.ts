/** What the caller should do about a failure: the worker and the CLI act on it. */
export type Remedy = "retry" | "fix-input" | "fix-config" | "bug";

/** What an `AppError` says beside its message. */
export type AppErrorOptions = {
  /** Stable, kebab-case, e.g. `workflow-invalid`. Code may compare it; text may change. */
  code: string;
  remedy: Remedy;
  /** One sentence that tells a person what to do. */
  hint?: string;
  /** When the other side said when to come back (milliseconds from now). */
  retryAfterMs?: number;
  cause?: unknown;
};

/** The one error class: what happened and where (`message`), and what to do (`remedy`, `hint`). */
export class AppError extends Error {
  readonly code: string;
  readonly remedy: Remedy;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: AppErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = options.code;
    this.remedy = options.remedy;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Bad input of a person: a file, an argument, a reference. */
export const inputError = (code: string, message: string, hint?: string): AppError =>
  new AppError(message, { code, remedy: "fix-input", ...(hint === undefined ? {} : { hint }) });

/** Bad or missing configuration. */
export const configError = (code: string, message: string, hint?: string): AppError =>
  new AppError(message, { code, remedy: "fix-config", ...(hint === undefined ? {} : { hint }) });

/** A state the program itself should never reach. */
export const bugError = (message: string, cause?: unknown): AppError =>
  new AppError(message, { code: "bug", remedy: "bug", cause });

/** True when the failure is the cancellation that `signal` asked for (or any abort, without a signal). */
export const isAbort = (error: unknown, signal?: AbortSignal): boolean =>
  (signal?.aborted ?? false) || (error instanceof Error && error.name === "AbortError");

/** The text of whatever was thrown, on one line. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
