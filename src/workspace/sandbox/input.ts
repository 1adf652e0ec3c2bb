import { randomUUID } from "node:crypto";
import { openSync, statSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a program that is started reads from a file descriptor. */
export type Input =
  /** Through a pipe: nothing of it comes on a disk. */
  | { kind: "pipe"; bytes: string | Uint8Array }
  /** A file that everybody may read, as it is now; one that is gone, or closed to some, is empty. */
  | { kind: "file"; path: string }
  /** As a file without a name, for programs that read no pipe. */
  | { kind: "nameless"; text: string };

/** Opens it; whoever calls closes it. */
export const openInput = (input: Exclude<Input, { kind: "pipe" }>): number =>
  input.kind === "file" ? openFile(input.path) : nameless(input.text);

const EVERYBODY_READS = 0o004;

const openFile = (path: string): number => {
  const found = statSync(path, { throwIfNoEntry: false });
  const isOpen = found !== undefined && (found.mode & EVERYBODY_READS) !== 0;
  return openSync(isOpen ? path : "/dev/null", "r");
};

const nameless = (text: string): number => {
  const path = join(tmpdir(), `uwf-input-${randomUUID()}`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  // At its place, which leaves the descriptor at the file's beginning.
  writeSync(fd, text, 0);
  return fd;
};
