import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { AppError, inputError } from "../base/errors.ts";
import type { Payload } from "../store/payload.ts";
import { type KnownFile, signatureOf } from "./capture-memory.ts";
import { type Place, type Root, withinRoot } from "./confined-path.ts";
import { hasGitName, isReservedLinkName, staysInside } from "./names.ts";

const MAX_FILE_BYTES = 50 * 1024 * 1024;

export type Taken = {
  path: string;
  mode: "100644" | "100755" | "120000";
  bytes: Uint8Array;
  /** By which the file can be known again without reading it. */
  signature?: string | undefined;
};
/** A file that has not changed since it was read. */
export type Unchanged = { path: string; known: KnownFile };
export type LeftOut = { path: string; why: string };
/** There is no file of that name any more. */
export type Gone = { path: string; gone: true };
/** A directory where the index has something else: what was there is gone, or a submodule. */
export type Directory = { path: string; directory: true };

type Found = Taken | Unchanged | LeftOut | Gone | Directory;

/**
 * Reads one file of the work tree as git would store it, following no link; one that is as it was when it became `known`
 * is not read. What may not leave the workspace, or is no file, is left out with the reason. Throws `file-too-large`
 * (fix-input).
 */
export const takeFile = async (root: Root, path: string, known?: KnownFile): Promise<Found> => {
  if (hasGitName(path)) return { path, why: "its name could be taken for a repository's own directory" };
  try {
    return await withinRoot(root, path, { links: "never" }, (place) => takePlace(place, { path, known }));
  } catch (error) {
    if (error instanceof AppError && (error.code === "not-a-directory" || error.code === "file-missing"))
      return { path, gone: true };
    if (error instanceof AppError && error.code === "file-failed") return { path, why: error.message };
    if (error instanceof AppError && error.code === "path-outside")
      return { path, why: "it became a link while it was read" };
    throw error;
  }
};

const takePlace = async (
  place: Place,
  { path, known }: { path: string; known: KnownFile | undefined },
): Promise<Found> => {
  const { stats } = place;
  if (stats === undefined) return { path, gone: true };
  if (stats.isDirectory()) return { path, directory: true };
  if (stats.isSymbolicLink()) return takeLink(place, path);
  if (!stats.isFile()) return { path, why: "it is not a regular file" };
  if (known !== undefined && known.signature === signatureOf(stats, Date.now())) return { path, known };
  return takeRegular(place, path);
};

const takeLink = async (place: Place, path: string): Promise<Taken | LeftOut> => {
  const bytes = await readlink(join(place.directory, place.name), "buffer");
  const target = bytes.toString("utf8");
  if (!Buffer.from(target, "utf8").equals(bytes)) return { path, why: "its target is not UTF-8" };
  if (!staysInside(path, target))
    return { path, why: `it is a link that leads out of the workspace (${target})` };
  if (isReservedLinkName(path)) return { path, why: "git does not take a link of that name" };
  return { path, mode: "120000", bytes };
};

const takeRegular = async (place: Place, path: string): Promise<Taken | LeftOut> => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(place.directory, place.name), flags);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { path, why: "it is not a regular file" };
    if (stats.size > MAX_FILE_BYTES) throw tooLarge(path, stats.size);
    const signature = signatureOf(stats, Date.now());
    const bytes = await handle.readFile();
    return { path, mode: (stats.mode & 0o100) === 0 ? "100644" : "100755", bytes, signature };
  } finally {
    await handle.close();
  }
};

const tooLarge = (path: string, size: number): AppError =>
  inputError(
    "file-too-large",
    `${path} has ${Math.ceil(size / 1024 / 1024)} MiB; a file that is kept has at most ${MAX_FILE_BYTES / 1024 / 1024} MiB.`,
    "Remove the file, or add it to .gitignore.",
  );

/** The contents as a `text` node has them. */
export const textOf = (bytes: Uint8Array): Payload<"text"> => {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString("utf8");
  return !buffer.includes(0) && Buffer.from(text, "utf8").equals(buffer)
    ? { encoding: "utf8", text }
    : { encoding: "base64", text: buffer.toString("base64") };
};

/** The contents that a `text` node stands for. */
export const bytesOf = ({ encoding, text }: Payload<"text">): Uint8Array => Buffer.from(text, encoding);
