import type { Readable } from "node:stream";
import type { Secrets } from "../base/redact.ts";

export type Output = {
  write(text: string): void;
  /** Whether people watch: colours and redrawing make sense. */
  isTerminal: boolean;
  /** Characters that fit on a line; 0 when nobody can say. */
  columns(): number;
};

/** What a command has of the world. */
export type Context = {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * From now on the first Ctrl-C (or SIGTERM) aborts this signal instead of ending the process, and calls
   * `onInterrupt`; the second one ends the process.
   */
  interruption(onInterrupt: () => void): AbortSignal;
  /** From now on nothing that is written holds one of these. */
  hide(secrets: Pick<Secrets, "redact">): void;
};
