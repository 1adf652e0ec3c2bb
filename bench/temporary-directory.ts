import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Does `work` in a directory of its own, on the system's disk for such unless told otherwise; removed afterwards. */
export const inTemporaryDirectory = async <T>(
  work: (directory: string) => Promise<T>,
  parent: string = tmpdir(),
): Promise<T> => {
  const directory = await mkdtemp(join(parent, "uwf-bench-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const NEEDED_BYTES = 4 * 1024 ** 3;

/** A file system in memory with room enough, where creating a file costs next to nothing; null where there is none. */
export const memoryDirectory = async (): Promise<string | null> => {
  const directory = "/dev/shm";
  try {
    await access(directory, constants.W_OK);
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize >= NEEDED_BYTES ? directory : null;
  } catch {
    return null;
  }
};
