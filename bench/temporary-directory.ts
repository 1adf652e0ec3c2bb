import { access, constants, mkdtemp, rm } from "node:fs/promises";
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

/** A file system in memory, where creating a file costs next to nothing; null where there is none. */
export const memoryDirectory = async (): Promise<string | null> => {
  const directory = "/dev/shm";
  try {
    await access(directory, constants.W_OK);
    return directory;
  } catch {
    return null;
  }
};
