import type { Stats } from "node:fs";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Node } from "../store/node.ts";
import type { TreeEntry } from "./tree.ts";

/** A file as it was read: while its signature is the same, so is all of this. */
export type KnownFile = {
  signature: string;
  mode: "100644" | "100755" | "120000";
  size: number;
  object: string;
  content: Hash;
};

/**
 * What a process remembers of a thread's captures, so that the next one reads only what has changed since. Without it
 * everything is read.
 */
export type CaptureMemory = {
  files: Map<string, KnownFile>;
  /** The last node, and what it was made of. */
  last: { entries: string; node: Node<"workspace"> } | null;
  /** What was said to be left out. */
  told: Set<string>;
  captures: number;
};

const captureMemory = (): CaptureMemory => ({
  files: new Map(),
  last: null,
  told: new Set(),
  captures: 0,
});

/** Times are only so fine: a file that changed so shortly before it was read may change again at the same time. */
const UNSETTLED_MS = 2_000;

/** Undefined for a file that is too young to be known again. Nobody can set the time of the last change of its inode. */
export const signatureOf = (stats: Stats, now: number): string | undefined =>
  stats.ctimeMs + UNSETTLED_MS > now
    ? undefined
    : [stats.dev, stats.ino, stats.mode, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");

/** Entries as one text, to be compared. */
export const entriesText = (entries: readonly TreeEntry[]): string =>
  entries
    .map(({ path, mode, object }) => `${mode} ${object} ${path}\0`)
    .sort()
    .join("");

const MOST_THREADS = 64;

/** The memories of the threads whose workspaces this process has open. */
export const captureMemories = (): {
  of(thread: ThreadId): CaptureMemory;
  forget(thread: ThreadId): void;
} => {
  const memories = new Map<ThreadId, CaptureMemory>();
  return {
    of: (thread) => {
      const memory = memories.get(thread) ?? captureMemory();
      memories.delete(thread);
      memories.set(thread, memory);
      const [oldest] = memories.keys();
      if (memories.size > MOST_THREADS && oldest !== undefined) memories.delete(oldest);
      return memory;
    },
    forget: (thread) => void memories.delete(thread),
  };
};
