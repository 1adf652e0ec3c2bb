import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lchown, lstat, mkdir, open, opendir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { AppError, inputError } from "../base/errors.ts";
import { missing, notADirectory, outside, type Place, type Root, withinRoot } from "./confined-path.ts";
import { TEMPORARY_PREFIX } from "./names.ts";
import type { FileEntry, FileKind, WorkspaceFiles } from "./workspace.ts";

export type Owner = { uid: number; gid: number };

export type FilesOptions = {
  /** Directories that may be read by their absolute names alone. */
  readOnly: readonly Root[];
  /** Whom new files must belong to; null: this process's user. */
  owner: Owner | null;
  /** Of one directory: more are not listed, since each takes memory of this process. */
  maxEntries?: number;
};

const MAX_ENTRIES = 50_000;
const LIST_BATCH = 500;

/** Files below `root`. Links are followed as far as they stay inside; `stat` answers what they lead to. */
export const workspaceFiles = (
  root: Root,
  { readOnly, owner, maxEntries = MAX_ENTRIES }: FilesOptions,
): WorkspaceFiles => {
  const rootOf = (path: string): Root =>
    readOnly.find(({ names, host }) => [host, ...names].some((name) => `${path}/`.startsWith(`${name}/`))) ??
    root;
  const follow = { links: "follow" } as const;
  return {
    stat: (path) => statEntry(rootOf(path), path),
    read: (path, { maxBytes } = {}) =>
      withinRoot(rootOf(path), path, follow, (place) => readPlace(place, path, maxBytes)),
    list: (path) =>
      withinRoot(rootOf(path), path, follow, async ({ directory, name, stats }) => {
        if (stats === undefined) throw missing(path);
        if (!stats.isDirectory()) throw notADirectory(path);
        const names = await namesIn(join(directory, name, "."), maxEntries);
        if (names === null) throw tooMany(path, maxEntries);
        return entriesOf(join(directory, name, "."), names);
      }),
    write: async (path, bytes) => {
      if (rootOf(path) !== root) throw outside(path);
      const onMissing = async (folder: string): Promise<void> => {
        await mkdir(folder).catch(unlessThere);
        if (owner !== null) await lchown(folder, owner.uid, owner.gid);
      };
      await withinRoot(root, path, { ...follow, onMissing }, (place) =>
        replace(place, path, { bytes, owner }),
      );
    },
  };
};

const statEntry = async (root: Root, path: string): Promise<FileEntry | undefined> => {
  try {
    return await withinRoot(root, path, { links: "follow" }, async ({ name, stats }) =>
      stats === undefined ? undefined : entryOf(name === "" ? basename(path) || "." : name, stats),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === "file-missing") return undefined;
    throw error;
  }
};

const entryOf = (name: string, stats: Stats): FileEntry => ({
  name,
  kind: kindOf(stats),
  size: stats.size,
  executable: stats.isFile() && (stats.mode & 0o100) !== 0,
});

const kindOf = (stats: Stats): FileKind => {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
};

/** null when there are more than `most`. */
const namesIn = async (directory: string, most: number): Promise<string[] | null> => {
  const names: string[] = [];
  for await (const { name } of await opendir(directory, { bufferSize: 1_000 })) {
    if (names.length === most) return null;
    names.push(name);
  }
  return names.sort();
};

const entriesOf = async (directory: string, names: readonly string[]): Promise<FileEntry[]> => {
  const entries: FileEntry[] = [];
  for (let start = 0; start < names.length; start += LIST_BATCH) {
    const batch = names.slice(start, start + LIST_BATCH).map((name) =>
      lstat(join(directory, name)).then(
        (stats) => entryOf(name, stats),
        () => undefined,
      ),
    );
    entries.push(...(await Promise.all(batch)).filter((entry) => entry !== undefined));
  }
  return entries;
};

const tooMany = (path: string, most: number): AppError =>
  inputError(
    "directory-too-large",
    `${path} has more than ${most.toLocaleString("en-US")} entries.`,
    "List a part of it with a command.",
  );

const notAFile = (path: string, stats: Stats): AppError =>
  inputError("not-a-file", `${path} is ${stats.isDirectory() ? "a directory" : "not a regular file"}.`);

/** Opened without waiting: a pipe would have no writer. */
const readPlace = async (place: Place, path: string, maxBytes: number | undefined): Promise<Uint8Array> => {
  if (place.stats === undefined) throw missing(path);
  if (!place.stats.isFile()) throw notAFile(path, place.stats);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(place.directory, place.name), flags);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notAFile(path, stats);
    return maxBytes === undefined
      ? await handle.readFile()
      : await readUpTo(handle, Math.min(maxBytes, stats.size));
  } finally {
    await handle.close();
  }
};

const readUpTo = async (handle: FileHandle, length: number): Promise<Uint8Array> => {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};

type Contents = { bytes: Uint8Array; owner: Owner | null };

/** Written beside the file and renamed over it, so that nobody sees half of it. */
const replace = async (
  { directory, name, stats }: Place,
  path: string,
  contents: Contents,
): Promise<void> => {
  if (name === "") throw inputError("not-a-file", `${path} is a directory.`);
  if (stats !== undefined && !stats.isFile()) throw notAFile(path, stats);
  const temporary = join(directory, TEMPORARY_PREFIX + randomBytes(8).toString("hex"));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, 0o644);
  try {
    await handle.writeFile(contents.bytes);
    if (stats !== undefined) await handle.chmod(stats.mode & 0o777);
    if (contents.owner !== null) await handle.chown(contents.owner.uid, contents.owner.gid);
    await handle.close();
    await rename(temporary, join(directory, name));
  } catch (error) {
    await handle.close();
    await rm(temporary, { force: true });
    throw error;
  }
};

const unlessThere = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
};
