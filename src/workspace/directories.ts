import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

/**
 * Removes a tree whatever modes its directories have and however deep they are. Links are removed, never followed.
 */
export const removeTree = async (path: string | Buffer): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!MENDABLE.has(code ?? "")) throw error;
    await removeStubborn(path.toString());
  }
};

/**
 * By programs that work from directory to directory, where a path would be too long. What `rm` above began may go on
 * beside them: only what is left in the end counts.
 */
const removeStubborn = async (path: string): Promise<void> => {
  const script = 'find "$1" -type d ! -perm -0700 -execdir chmod u+rwx {} \\; 2>/dev/null; rm -rf -- "$1"';
  const options = { env: { PATH: "/usr/local/bin:/usr/bin:/bin" } };
  await promisify(execFile)("sh", ["-c", script, "sh", path], options);
};

const MENDABLE = new Set(["EACCES", "EPERM", "ENOTEMPTY", "ENAMETOOLONG"]);

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

export const exists = async (path: string | Buffer): Promise<boolean> => {
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
