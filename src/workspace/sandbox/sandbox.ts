import { basename } from "node:path";
import type { Readable } from "node:stream";

/** Where a path of the host appears inside. */
export type Mount = { source: string; target: string; writable: boolean };

/** What a command reaches beside its own processes. */
export type Network =
  | { kind: "none" }
  /**
   * What the proxy lets through that listens on this socket, which is a path of the host; nothing else. `local`: of these the
   * proxy's machine is seen where the command's own would be, at the same port.
   */
  | { kind: "proxy"; socket: string; local: readonly { host: string; port: number }[] }
  /** Whatever this machine can. */
  | { kind: "host" };

export type SandboxCommand = {
  /** Program and arguments; never a shell string. */
  argv: readonly string[];
  /** Absolute, as seen inside. */
  cwd: string;
  /** Nothing is inherited; PATH, HOME and TMPDIR are the sandbox's own where this does not give them. */
  env: Readonly<Record<string, string>>;
  mounts: readonly Mount[];
  timeoutMs: number;
  /** Bytes kept of the output, both streams in the order they came: head and tail, the middle counted. */
  maxOutputBytes: number;
  signal: AbortSignal;
  /** What it reads: given at once, or as it comes, for a program that answers while it runs. Absent: nothing. */
  stdin?: string | Readable;
  onOutput?: (chunk: string) => void;
  /** Takes the standard error apart, as it comes: it is not in the output then. */
  onError?: (chunk: string) => void;
  /** Absent: nothing. A sandbox of kind `none` holds nobody to it. */
  network?: Network;
};

export type CommandResult = {
  /** As shells report it: 128 and the signal's number when a signal ended it; null when it was ended on time-out. */
  exitCode: number | null;
  timedOut: boolean;
  /**
   * Both streams in order, ANSI sequences and `\r` redraws not yet removed. Where bytes were left out, a line of
   * its own says how many.
   */
  output: string;
  /** Bytes left out of the middle of `output`; 0 when it is whole. */
  omittedBytes: number;
  /** Set where the output is whole and no UTF-8: what could not be read of it is U+FFFD. */
  malformed?: true;
  ms: number;
};

/** Runs commands of roles. Every process that a command started is gone when `run` returns, whatever it did. */
export interface Sandbox {
  readonly kind: "bubblewrap" | "container" | "none";
  /**
   * Looks from inside for what must not be there, with the mounts of a thread when they are given. Answers in sentences what is
   * held less strictly than it could be. Throws `sandbox-unavailable` (fix-config) with the way to fix it.
   */
  check(mounts?: readonly Mount[]): Promise<readonly string[]>;
  /** Who commands run as on the host when that is not this process's user: the workspace's files must be theirs. */
  readonly owner: { uid: number; gid: number } | null;
  /** Where a directory of the workspace appears to commands. */
  insidePath(hostPath: string): string;
  /** Rejects with the signal's reason when cancelled. */
  run(command: SandboxCommand): Promise<CommandResult>;
}

/** Where a sandbox with a file system of its own shows a directory of the workspace: `/`, and the directory's name. */
export const insideName = (hostPath: string): string => `/${basename(hostPath)}`;
