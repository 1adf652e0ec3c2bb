import type { Readable } from "node:stream";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Source } from "../store/payload.ts";
import type { Reach, ThreadReach } from "./network/network.ts";
import type { Refusal } from "./network/refusal.ts";
import type { PublishedTree } from "./published-tree.ts";
import type { CommandResult } from "./sandbox/sandbox.ts";

export type FileKind = "file" | "directory" | "symlink" | "other";
export type FileEntry = { name: string; kind: FileKind; size: number; executable: boolean };

/**
 * Files below the workspace's root, never outside it: every path is walked component by component, and a link
 * that leads out is refused. Paths are relative to the root, or absolute inside it. Throws `path-outside`,
 * `file-missing`, `not-a-file`, `not-a-directory`, `directory-too-large` (all fix-input).
 */
export interface WorkspaceFiles {
  stat(path: string): Promise<FileEntry | undefined>;
  read(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>;
  /** Makes folders; replaces in one rename; keeps an existing file's executable bit. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  list(path: string): Promise<FileEntry[]>;
}

export type Command = {
  /** For `bash -c`, or program and arguments. */
  command: string | readonly string[];
  /** Relative to the root. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxOutputBytes: number;
  signal: AbortSignal;
  /** What it reads: given at once, or as it comes, for a program that answers while it runs. Absent: nothing. */
  stdin?: string | Readable;
  onOutput?: (chunk: string) => void;
  /** Takes the standard error apart, as it comes: it is not in the output then. */
  onError?: (chunk: string) => void;
  /** What it may reach beside what all of the thread's commands may; null: nothing, not even that. */
  reach?: Reach | null;
  /** True: its home directory in the sandbox is kept with the thread on this machine, for sessions to be found again. */
  keepsHome?: boolean;
};

/** `refused`: what the network's proxy did not let through; absent when there was none of it. */
export type ExecResult = CommandResult & { refused?: readonly Refusal[] };

/** What roles work in. */
export interface Workspace {
  /** Absolute, as commands see it. */
  readonly root: string;
  /** The same directory as this machine has it: for programs that are run outside the sandbox. */
  readonly directory: string;
  readonly files: WorkspaceFiles;
  /** Runs in the sandbox. */
  exec(command: Command): Promise<ExecResult>;
  /** Keeps a text that was too long to show; answers the path where `read_file` and commands find it. */
  keepOutput(text: string): Promise<string>;
}

export type Author = { name: string; email: string };

export type CommitRequest = {
  /** Must begin with `prefix`; never anything else is pushed. */
  branch: string;
  prefix: string;
  /** The branch has to be there, at the base or with nothing but this thread's commits since. Absent: it may be new. */
  onto?: "existing-branch";
  message: string;
  author: Author;
  coAuthors: readonly Author[];
  /** The commit's time, milliseconds since the epoch: the step's, never the clock's, so that a repeated push makes the same commit. */
  at: number;
};

/** Where to push; with the push the token has served, and is taken back. The token is given to git alone, through its environment. */
export type Remote = {
  url: string;
  token: string | null;
  /** Takes the token back, where it is not needed any longer and nobody else has it. */
  giveUp?: () => Promise<void>;
};

export type PushResult = { branch: string; commit: string; changed: boolean };

export type WantedWorkspace = {
  repository: string;
  base: string;
  /** The thread's newest `workspace` node. */
  captured: Hash | null;
  /** The place where the thread's workspace was opened last, when that is known. */
  lastAt?: string | undefined;
};

/** What the engine does with workspaces: one per thread, made from a mirror per repository. */
export interface Workspaces {
  /**
   * The commit that `branch` (null: the default branch) has now at the source, fetched into the mirror; with `pullRequest`,
   * the last commit of that pull request, whichever repository its branch is in.
   */
  fetch(
    source: Pick<Source, "repository">,
    options: { branch: string | null; pullRequest?: number; signal: AbortSignal },
  ): Promise<{ commit: string; tree: string; branch: string }>;
  /** A file of a fetched commit; undefined when it is not there. Throws `file-too-large` above 1 MiB. */
  file(repository: string, place: { commit: string; path: string }): Promise<Uint8Array | undefined>;
  /** Where these workspaces are: one name among those of all machines. */
  place(): Promise<string>;
  /**
   * Makes the thread's workspace at `base` with the captured files, or takes it up again as it is when it is there and
   * nobody has gone on elsewhere. `reach`: what its commands reach beside what the operator lets all of them.
   */
  open(thread: ThreadId, wanted: WantedWorkspace | null, reach?: ThreadReach): Promise<Workspace>;
  /** Whether the directory that the thread has here was said to be ready since it was made. */
  isReady(thread: ThreadId): Promise<boolean>;
  setReady(thread: ThreadId): Promise<void>;
  /** Stores what changed against the base and answers the `workspace` node; null without a repository. */
  capture(thread: ThreadId): Promise<Hash | null>;
  /**
   * Brings the thread's open workspace to a captured state of its base; what git ignores stays as it is. Throws
   * `workspace-missing` when none is open here at that base.
   */
  restore(thread: ThreadId, captured: Hash): Promise<void>;
  /**
   * Commits the tree of a `workspace` node on its base and pushes it. The same thread and tree make the same commit.
   * `examine` is given the very tree that is to be pushed, and `confirm` is awaited right before the remote is written to:
   * what they throw stops the push.
   */
  push(
    thread: ThreadId,
    captured: Hash,
    commit: CommitRequest,
    remote: Remote,
    options: { examine: (tree: PublishedTree) => Promise<void>; confirm?: () => Promise<void> },
  ): Promise<PushResult>;
  /** The threads that have a directory here. */
  threads(): Promise<ThreadId[]>;
  /** Gives the directory back for reuse, or removes it. */
  close(thread: ThreadId): Promise<void>;
}
