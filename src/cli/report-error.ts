import { AppError, isAbort, messageOf } from "../base/errors.ts";
import { type ExitCode, exitCodeOfRemedy, exitCodes } from "./exit-code.ts";
import { plainLine } from "./terminal-text.ts";

/** What went wrong in one line for people, what to do in another, and the exit code that says whose turn it is. */
export const describeError = (
  error: unknown,
  { stack }: { stack: "shown" | "hidden" },
): { text: string; exitCode: ExitCode } => {
  if (isAbort(error)) return { text: "\nInterrupted.\n", exitCode: exitCodes.interrupted };
  const known = error instanceof AppError;
  const [first = "", ...more] = known ? error.message.split("\n") : [messageOf(error)];
  const lines = [`error: ${plainLine(first)}`, ...more.map((line) => `       ${plainLine(line)}`)];
  if (known && error.hint !== undefined) lines.push(`hint: ${plainLine(error.hint)}`);
  if (isBug(error)) lines.push("hint: This is a bug in uwf; LOG_LEVEL=debug shows where.");
  if (stack === "shown") lines.push(...stackOf(error));
  return {
    text: `${lines.join("\n")}\n`,
    exitCode: known ? exitCodeOfRemedy(error.remedy) : exitCodes.failed,
  };
};

const isBug = (error: unknown): boolean => !(error instanceof AppError) || error.remedy === "bug";

const stackOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const own = (error.stack ?? "").split("\n").map((line) => plainLine(line, { indent: "kept" }));
  return error.cause === undefined ? own : [...own, "caused by:", ...stackOf(error.cause)];
};
