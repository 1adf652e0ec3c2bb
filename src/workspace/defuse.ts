import { lstat, rename, rm } from "node:fs/promises";
import { type AppError, inputError } from "../base/errors.ts";
import { exists, removeTree } from "./directories.ts";
import { find } from "./find.ts";
import { inFolder } from "./held-folder.ts";
import { TEMPORARY_PREFIX } from "./names.ts";

/** Of git's own files in a tree, such as `.gitignore`. */
export const MAX_READ_BYTES = 8 * 1024 * 1024;

/** The role's own repository, which the engine never reads. */
const OUTSIDE_GIT = ["-path", "./.git", "-prune", "-o"];
/** Pipes, sockets and devices. */
const NO_FILE = ["!", "-type", "f", "!", "-type", "d", "!", "-type", "l"];
const NESTED = [...OUTSIDE_GIT, "-name", ".git", "-prune", "-print0"];
const HIDDEN = `${TEMPORARY_PREFIX}git`;
/** What has to be looked at, found in one pass: trees are large. */
const ARMED_OR_LINK = [
  ...[...OUTSIDE_GIT, "(", "-name", ".git", "-o", "-name", HIDDEN, "-o", "-name", ".git*", "("],
  ...NO_FILE,
  ...["-o", "-type", "f", "-size", `+${MAX_READ_BYTES / 512}`, ")", "-o", "-type", "l", ")", "-print0"],
];

/** Paths in a tree, relative to it, byte for byte. */
export type Defused = {
  /** What makes directories repositories, and what did before a process was killed that had hidden it. */
  repositories: Buffer[];
  links: Buffer[];
};

/**
 * Takes from a work tree what would keep git waiting or fill its memory, because git reads it whole while it looks
 * for changes: pipes, sockets and devices by the name of git's files are removed. Throws `file-too-large` (fix-input)
 * for rules of more than 8 MiB. No process of a role may be running.
 */
export const defuse = async (tree: string): Promise<Defused> => {
  const defused: Defused = { repositories: [], links: [] };
  for (const path of await find(tree, ARMED_OR_LINK)) {
    const [folder, bytes] = split(path);
    const name = bytes.toString("latin1");
    const isGits = name === HIDDEN || name.startsWith(".git");
    const left = isGits ? await disarm(tree, path, [folder, bytes]) : "link";
    if (left === "link") defused.links.push(path);
    if (left !== undefined && (name === HIDDEN || name === ".git")) defused.repositories.push(path);
  }
  return defused;
};

/** Answers what is left there, if anything. */
const disarm = (
  tree: string,
  path: Buffer,
  [folder, name]: [folder: Buffer, name: Buffer],
): Promise<"link" | "file or directory" | undefined> =>
  inFolder(tree, folder, async (at) => {
    const stats = await lstat(at(name));
    if (stats.isSymbolicLink()) return "link";
    if (stats.isFile() && stats.size > MAX_READ_BYTES) throw tooLarge(path.toString("utf8"));
    if (stats.isFile() || stats.isDirectory()) return "file or directory";
    await rm(at(name));
    return undefined;
  }).catch(unlessClosed);

/** A folder that may be listed and not gone into: git does not go into it either. */
const unlessClosed = (error: unknown): "link" => {
  if ((error as NodeJS.ErrnoException).code === "EACCES") return "link";
  throw error;
};

/**
 * Runs `work` while a defused tree has no repository below its root: git would look into each, and follow what it
 * finds there. In between, their `.git` has a name that is never kept.
 */
export const withDefused = async <T>(
  tree: string,
  work: (found: Pick<Defused, "links">) => Promise<T>,
): Promise<T> => {
  const moved = new Map<string, Buffer>();
  try {
    const { repositories, links } = await defuse(tree);
    for (const path of repositories) {
      const [folder, name] = split(path);
      const key = folder.toString("latin1");
      if (folder.length === 0 || /(^|\/)\.git\//.test(key) || moved.has(key)) continue;
      const isHidden = await inFolder(tree, folder, async (at) => {
        if (name.toString("latin1") === HIDDEN) return !(await exists(at(".git")));
        await removeTree(at(HIDDEN));
        await rename(at(".git"), at(HIDDEN));
        return true;
      });
      if (isHidden) moved.set(key, folder);
    }
    return await work({ links });
  } finally {
    for (const folder of [...moved.values()].reverse())
      await inFolder(tree, folder, (at) => rename(at(HIDDEN), at(".git")));
  }
};

/** The folder, with its slash, and the name in it. */
const split = (path: Buffer): [folder: Buffer, name: Buffer] => {
  const end = path.lastIndexOf("/") + 1;
  return [path.subarray(0, end), path.subarray(end)];
};

/** Removes what makes a directory below the root a repository. */
export const removeRepositories = async (tree: string): Promise<void> => {
  for (const path of await find(tree, NESTED)) await removeTree(below(tree, path));
};

/**
 * Undoes what git does not see: files that are closed to their owner, privileged, or one file under two names are
 * removed, for git to write anew, and so are pipes, sockets and devices; directories are opened.
 */
export const undoModes = async (tree: string): Promise<void> => {
  const privileged = ["-perm", "-4000", "-o", "-perm", "-2000", "-o", "-perm", "-1000"];
  const closed = ["(", "!", "-perm", "-0700", "-o", ...privileged, ")"];
  const open = ["-type", "d", ...closed, "-exec", "chmod", "u=rwx,go=rx,ug-s,-t", "{}", ";"];
  const odd = ["(", "-links", "+1", "-o", "!", "-perm", "-0600", "-o", ...privileged, ")"];
  const remove = ["-exec", "rm", "-f", "{}", "+"];
  const noFile = ["!", "-path", "./.git/*", ...NO_FILE];
  await find(tree, [...open, "-o", "-type", "f", ...odd, ...remove, "-o", ...noFile, ...remove]);
};

const below = (tree: string, path: Buffer, name = ""): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), path, Buffer.from(name)]);

const tooLarge = (path: string): AppError =>
  inputError(
    "file-too-large",
    `${path} is larger than ${MAX_READ_BYTES / 1024 / 1024} MiB: git would have to read it whole.`,
    "Make the file smaller, or remove it.",
  );
