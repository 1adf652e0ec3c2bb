import { isAbort } from "../../base/errors.ts";
import type { Redact } from "../../base/redact.ts";
import type { Reach } from "../../workspace/network/network.ts";
import type { CommandResult, Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { errorStream } from "./error-stream.ts";
import { type Failed, failureOf, programError, startFailure } from "./program-failure.ts";

/** A program to run once, with all that it gets: nothing is inherited. */
export type Program = {
  /** The program as people know it. */
  label: string;
  /** The program and its arguments. */
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  stdin?: string;
  timeoutMs: number;
  /** Of its standard output; default 1 MiB. */
  maxOutputBytes?: number;
  /** What it reaches in the thread's sandbox beside what the thread's commands do. */
  reach?: Reach;
  /** Its sessions are found again by later runs: see `Command.keepsHome`. */
  keepsHome?: boolean;
};

/** Where a program runs: in the thread's sandbox, or as this process's user in the thread's directory. */
export type ProgramPlace = { workspace: Workspace; outside: Sandbox | null };

export type RunOptions = {
  signal: AbortSignal;
  /** Masks secrets in what people see. */
  redact: Redact;
  /** Takes the lines of the standard error as they come. */
  onLine: (line: string) => void;
};

/** `error` says why there is no answer; it is null when `output`, the standard output, is one. */
export type ProgramRun = { output: string; errors: string; error: Error | null; ms: number };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Runs a program to its end and answers what it wrote. Every process that came of it is gone then. `error` is an `AppError`:
 * `program-missing`, `program-not-executable` (fix-config), `program-arguments`, `program-timeout`, `program-failed`,
 * `program-answer` (fix-input). Rejects with the signal's reason when cancelled, and with what the sandbox throws.
 */
export const runProgram = async (
  program: Program,
  place: ProgramPlace,
  { signal, redact, onLine }: RunOptions,
): Promise<ProgramRun> => {
  const began = performance.now();
  const stream = errorStream({ redact, onLine });
  const flood = new AbortController();
  const most = program.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  let bytes = 0;
  const onOutput = (chunk: string): void => {
    bytes += Buffer.byteLength(chunk);
    if (bytes > most) flood.abort();
  };
  const command = {
    env: program.env,
    timeoutMs: program.timeoutMs,
    maxOutputBytes: most,
    signal: AbortSignal.any([signal, flood.signal]),
    onOutput,
    onError: stream.push,
    ...(program.stdin === undefined ? {} : { stdin: program.stdin }),
    ...(program.keepsHome ? { keepsHome: true } : {}),
  };
  const ended = (output: string, find: (failed: Failed) => Error | null): ProgramRun => {
    const errors = stream.end();
    const failed = { program: redact(program.label), errors };
    return { output, errors, error: find(failed), ms: Math.round(performance.now() - began) };
  };
  try {
    const result = await runIn(place, program, command);
    return ended(result.output, (failed) => problemOf(result, { program, place, failed }));
  } catch (error) {
    signal.throwIfAborted();
    if (isAbort(error, flood.signal)) return ended("", (failed) => tooMuch(failed, most));
    return ended("", (failed) => {
      const failure = startFailure(error, failed);
      if (failure === null) throw error;
      return failure;
    });
  }
};

type Limits = Omit<Parameters<Workspace["exec"]>[0], "command">;

const runIn = (
  { workspace, outside }: ProgramPlace,
  { argv, reach }: Program,
  limits: Limits & { env: Readonly<Record<string, string>> },
): Promise<CommandResult> =>
  outside === null
    ? workspace.exec({ ...limits, command: argv, ...(reach === undefined ? {} : { reach }) })
    : outside.run({ ...withoutHome(limits), argv, cwd: workspace.directory, mounts: [] });

/** Outside, programs have the home directory of this user. */
const withoutHome = <L extends Limits>({ keepsHome: _, ...limits }: L): Omit<L, "keepsHome"> => limits;

/** The sandbox's shell says with 126 and 127 what the system says at once of a program outside. */
const problemOf = (
  result: CommandResult,
  { program, place, failed }: { program: Program; place: ProgramPlace; failed: Failed },
): Error | null => {
  if (place.outside === null && !result.timedOut && (result.exitCode === 127 || result.exitCode === 126)) {
    const code = result.exitCode === 127 ? "ENOENT" : "EACCES";
    return startFailure({ code }, failed);
  }
  return failureOf(result, { ...failed, timeoutMs: program.timeoutMs });
};

const tooMuch = (failed: Failed, most: number): Error =>
  programError(failed, `wrote more than ${most / 1024 / 1024} MiB to its standard output and was ended`, {
    code: "program-answer",
    hint: "An answer stands there alone; logs go to the standard error.",
  });
