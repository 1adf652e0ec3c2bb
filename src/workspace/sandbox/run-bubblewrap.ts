import { killGroup, killProcess } from "./leftovers.ts";
import { type Finished, type Launch, runProcess } from "./run-process.ts";
import type { CommandResult, SandboxCommand } from "./sandbox.ts";
import { unavailable } from "./unavailable.ts";

const STOP_GRACE_MS = 2_000;

type Prepared = Pick<Launch, "argv" | "inputs" | "withheld" | "limit"> & {
  path: string;
  /** Told the sandbox's first process. */
  onProcess: (pid: number) => void;
};

/** Starts a prepared bubblewrap and waits for its end. Throws `sandbox-unavailable` when it could not begin the command. */
export const runBubblewrap = async (
  { path, onProcess, ...launch }: Prepared,
  command: SandboxCommand,
): Promise<CommandResult> => {
  let first: number | undefined;
  let began = false;
  const onStatus = (line: string): void => {
    if (first === undefined) {
      first = Number(/"child-pid":\s*(\d+)/.exec(line)?.[1] ?? Number.NaN);
      if (!Number.isNaN(first)) onProcess(first);
    }
    if (line.includes('"exit-code"')) began = true;
  };
  /** The sandbox's first process, whose end takes every other with it before bubblewrap itself ends. */
  const stop = (pid: number): void => {
    if (first === undefined || Number.isNaN(first) || began) {
      killGroup(pid);
      return;
    }
    killProcess(first);
    setTimeout(() => killGroup(pid), STOP_GRACE_MS).unref();
  };
  const sweep = async (pid: number): Promise<void> => killGroup(pid);
  try {
    const finished = await runProcess(
      { ...launch, env: { PATH: path }, cwd: "/", onStatus, stop, sweep },
      command,
    );
    if (!began && !finished.timedOut && !launch.limit?.aborted)
      throw unavailable(finished.launcherErrors || "bubblewrap ended before the command began");
    return resultOf(finished);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && syscall?.startsWith("spawn"))
      throw unavailable(`${launch.argv[0]} is not installed`, error);
    throw error;
  }
};

const KILLED = 137;

const resultOf = ({ timedOut, exitCode, output, omittedBytes, malformed, ms }: Finished): CommandResult => ({
  exitCode: timedOut ? null : (exitCode ?? KILLED),
  timedOut,
  output,
  omittedBytes,
  ...(malformed ? { malformed } : {}),
  ms,
});
