import { randomUUID } from "node:crypto";
import { constants, homedir, tmpdir } from "node:os";
import { delimiter, dirname } from "node:path";
import { killGroup, killLeftovers, RUN_MARKER } from "./leftovers.ts";
import { mergeStreams, runProcess } from "./run-process.ts";
import type { CommandResult, Sandbox, SandboxCommand } from "./sandbox.ts";

/**
 * Runs commands as plain processes of this user: no isolation, for people who asked for it. Time-outs, bounded
 * output and the end of every process hold as far as a plain process allows: one that leaves its session and
 * clears its environment is not found again.
 */
export const noSandbox = ({ path = SYSTEM_PATH }: { path?: string } = {}): Sandbox => {
  const defaults = { PATH: searchPath(path), HOME: homedir(), TMPDIR: tmpdir() };
  return {
    kind: "none",
    owner: null,
    check: async () => [],
    insidePath: (hostPath) => hostPath,
    run: (command) => runPlain({ ...command, env: { ...defaults, ...command.env } }),
  };
};

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin";

/** This program's own tools left out, the running Node last for machines that have no other. */
const searchPath = (path: string): string =>
  [
    ...path.split(delimiter).filter((entry) => entry !== "" && !entry.endsWith("/node_modules/.bin")),
    dirname(process.execPath),
  ].join(delimiter);

const runPlain = async (command: SandboxCommand): Promise<CommandResult> => {
  const marker = randomUUID();
  const finished = await runProcess(
    {
      argv: command.onError === undefined ? mergeStreams(command.argv) : command.argv,
      env: { ...command.env, [RUN_MARKER]: marker },
      cwd: command.cwd,
      inputs: [],
      withheld: [],
      onStatus: () => undefined,
      stop: killGroup,
      sweep: (pid) => killLeftovers(pid, marker),
    },
    command,
  );
  const { output, omittedBytes, timedOut, malformed, ms } = finished;
  const exitCode = timedOut ? null : exitCodeOf(finished);
  return { exitCode, timedOut, output, omittedBytes, ...(malformed ? { malformed } : {}), ms };
};

/** As shells report it: 128 and the signal's number for a command that a signal of its own ended. */
const exitCodeOf = ({
  exitCode,
  signal,
}: {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}): number | null => exitCode ?? (signal === null ? null : 128 + constants.signals[signal]);
