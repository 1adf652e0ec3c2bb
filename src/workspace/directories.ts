import { chmod, lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Removes a tree whatever modes its directories have. Links are removed, never followed. */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM" && code !== "ENOTEMPTY") throw error;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
};

/** Lets the owner into every directory of a tree again. */
export const makeWritable = async (path: string): Promise<void> => {
  const stats = await lstat(path);
  if (!stats.isDirectory()) return;
  if ((stats.mode & 0o700) !== 0o700) await chmod(path, stats.mode | 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
};

/** A directory that others may read whatever the process's umask is: the storage root above it is closed. */
export const makeReadable = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
};

/** Writes a file whole or not at all. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  await writeFile(temporary, text);
  await rename(temporary, path);
};

export const exists = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** Names in a directory; none when it is not there. */
export const entriesOf = async (directory: string): Promise<string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** False for a link to one. */
export const isDirectory = async (path: string): Promise<boolean> =>
  (await exists(path)) && (await lstat(path)).isDirectory();

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";
