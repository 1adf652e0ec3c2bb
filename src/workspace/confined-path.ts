import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AppError, inputError } from "../base/errors.ts";

/** A directory that paths may not leave. */
export type Root = {
  /** On the host: absolute, without links. */
  host: string;
  /** Further absolute names of the same directory: as commands see it. */
  names: readonly string[];
};

/** An entry of a directory that is held open, so that nobody can swap a link in between. */
export type Place = {
  /** Where the entry is reached by system calls. Empty `name`: the directory itself. */
  directory: string;
  name: string;
  /** What is there; undefined when nothing is. */
  stats: Stats | undefined;
};

type Options = {
  /** `follow` as long as they stay inside; `never`: one at the end is the entry itself, one on the way is no directory. */
  links: "follow" | "never";
  /** Called for a directory on the way that is not there; it makes it or throws. */
  onMissing?: (path: string) => Promise<void>;
};

const LINUX = process.platform === "linux";
const MAX_LINKS = 40;

export const outside = (path: string): AppError =>
  inputError("path-outside", `${path} is outside the workspace.`, "Give a path below the workspace's root.");
export const missing = (path: string): AppError => inputError("file-missing", `${path} does not exist.`);
export const notADirectory = (path: string): AppError =>
  inputError("not-a-directory", `${path} is not a directory.`);

/**
 * Walks `path` below `root` one component at a time, each directory opened with O_NOFOLLOW below the one before, and
 * links resolved by hand; then calls `use` while the last directory is held. Throws `path-outside`, `file-missing`
 * for a directory on the way, or `not-a-directory`.
 */
export const withinRoot = async <T>(
  root: Root,
  path: string,
  options: Options,
  use: (place: Place) => Promise<T>,
): Promise<T> => {
  const held: Directory[] = [await openDirectory(root.host, path)];
  try {
    return await use(await descend(root, path, options, held));
  } catch (error) {
    throw named(error, path);
  } finally {
    for (const directory of held) await directory.close();
  }
};

type Directory = { path: string; close(): Promise<void> };

const descend = async (root: Root, path: string, options: Options, held: Directory[]): Promise<Place> => {
  const rest = split(belowRoot(root, path));
  let links = 0;
  for (;;) {
    const current = held.at(-1);
    if (current === undefined) throw outside(path);
    const name = rest.shift();
    if (name === undefined)
      return { directory: current.path, name: "", stats: await lstat(`${current.path}/.`) };
    if (name === "..") {
      held.pop();
      await current.close();
      continue;
    }
    const here = join(current.path, name);
    const stats = await lstatOrUndefined(here);
    if (stats?.isSymbolicLink() && options.links === "follow") {
      if (++links > MAX_LINKS) throw inputError("path-outside", `${path} goes through too many links.`);
      const target = await readlink(here);
      if (target.startsWith("/")) {
        for (const directory of held.splice(1)) await directory.close();
        rest.unshift(...split(belowRoot(root, target, path)));
      } else rest.unshift(...split(target));
      continue;
    }
    if (rest.length === 0 && !stats?.isDirectory()) return { directory: current.path, name, stats };
    if (stats === undefined) {
      if (options.onMissing === undefined) throw missing(path);
      await options.onMissing(here);
    } else if (!stats.isDirectory()) throw notADirectory(path);
    held.push(await openDirectory(here, path));
  }
};

const split = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");

/** The part of a path below the root. Throws `path-outside` for an absolute path elsewhere. */
const belowRoot = (root: Root, path: string, asked = path): string => {
  if (path.includes("\0")) throw inputError("path-outside", "The path contains a NUL character.");
  if (!path.startsWith("/")) return path;
  const name = [...root.names, root.host].find((each) => path === each || path.startsWith(`${each}/`));
  if (name === undefined) throw outside(asked);
  return path.slice(name.length);
};

/** On Linux an open descriptor stands for the directory; elsewhere its path does, checked to be free of links. */
const openDirectory = async (path: string, asked: string): Promise<Directory> => {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const handle: FileHandle = await open(path, flags).catch((error: unknown) => {
    throw named(error, asked);
  });
  if (LINUX) return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
  await handle.close();
  if ((await realpath(path)) !== path) throw outside(asked);
  return { path, close: async () => undefined };
};

const lstatOrUndefined = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};

/** System errors name the descriptor that was used; people want the path that they gave. */
const named = (error: unknown, path: string): unknown => {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return missing(path);
  if (code === "ENOTDIR") return notADirectory(path);
  if (code === "ELOOP") return outside(path);
  if (code === undefined) return error;
  return new AppError(`${path}: ${SYSTEM_ERRORS[code] ?? code}`, {
    code: "file-failed",
    remedy: "fix-input",
    cause: error,
  });
};

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  ENOSPC: "no space left on the device",
  ENAMETOOLONG: "the name is too long",
  EISDIR: "is a directory",
  EROFS: "the file system is read-only",
};
