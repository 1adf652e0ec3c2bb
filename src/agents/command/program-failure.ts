import { constants } from "node:os";
import { AppError, type Remedy } from "../../base/errors.ts";
import type { CommandResult } from "../../workspace/sandbox/sandbox.ts";

/** The program as people know it, and the end of what it said on its standard error. */
export type Failed = { program: string; errors: string };

/** For those who change the configuration after a failure. */
export const PINNED =
  "A thread keeps its agents as they were: with changed ones, begin anew, or fork it with --agent.";

const LAST_LINES = 3;
const LAST_LENGTH = 400;

/** An `AppError` that says what went wrong with which program, and what that said last. */
export const programError = (
  { program, errors }: Failed,
  what: string,
  { code, remedy = "fix-input", hint }: { code: string; remedy?: Remedy; hint?: string },
): AppError => {
  const said = lastWords(errors);
  const message = `The program ${program} ${what}.${said === "" ? "" : ` It said last: ${said}`}`;
  return new AppError(message, { code, remedy, ...(hint === undefined ? {} : { hint }) });
};

/** The last lines as one, short enough for a message; of an error that Node ended with, the line that names it. */
const lastWords = (errors: string): string => {
  const lines = errors
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const thrown = /^Node\.js v[\d.]+$/.test(lines.at(-1) ?? "") ? lines.findLast(namesError) : undefined;
  const text = thrown ?? lines.slice(-LAST_LINES).join(" / ");
  return text.length > LAST_LENGTH ? `…${text.slice(-LAST_LENGTH)}` : text;
};

/** `Error [ERR_MODULE_NOT_FOUND]: Cannot find package`, `AppError: the file …`. */
const namesError = (line: string): boolean => /^\w*(Error|Exception)( \[\w+\])?: ./.test(line);

/** Why a program that was started has no answer; null when it ended well with one. */
export const failureOf = (
  result: CommandResult,
  { timeoutMs, ...failed }: Failed & { timeoutMs: number },
): AppError | null => {
  if (result.timedOut)
    return programError(failed, `took longer than its ${seconds(timeoutMs)} and was ended`, {
      code: "program-timeout",
      hint: `Give the agent a longer timeoutSeconds, or the role a longer limit or less work. ${PINNED}`,
    });
  if (result.exitCode !== 0)
    return programError(failed, ended(result.exitCode ?? 1), { code: "program-failed" });
  if (result.malformed)
    return programError(failed, "answered with bytes that are no UTF-8", { code: "program-answer" });
  if (result.output.trim() === "")
    return programError(failed, "ended well without an answer on its standard output", {
      code: "program-answer",
    });
  return null;
};

const ended = (exitCode: number): string => {
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return signal === undefined ? `failed with exit code ${exitCode}` : `was ended by ${signal}`;
};

const seconds = (ms: number): string =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 100) / 10} seconds`;

/** Why a program could not be started; null when that is no matter of the program. */
export const startFailure = (error: unknown, failed: Failed): AppError | null => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT")
    return programError(failed, "was not found", {
      code: "program-missing",
      remedy: "fix-config",
      hint: `Install it where this process finds it, or give its absolute path as the agent's \`command\`; a script also needs the program that its first line names. ${PINNED}`,
    });
  if (code === "EACCES" || code === "ENOEXEC" || code === "EPERM")
    return programError(failed, "could not be run: it is no program, or may not be run", {
      code: "program-not-executable",
      remedy: "fix-config",
      hint: "Make the file executable; a script begins with a line like `#!/usr/bin/env node`.",
    });
  if (code === "E2BIG")
    return programError(failed, "could not be run: its arguments are too long", {
      code: "program-arguments",
    });
  return null;
};
