import { readdir, readlink, stat } from "node:fs/promises";

const BLOCK_BYTES = 512;

/**
 * What files without a name take of a device, in bytes, as far as the processes in the process namespace of `pid` hold them by a
 * descriptor. Nobody else's are counted. 0 when that process is gone. On Linux alone.
 */
export const namelessBytes = async (pid: number, device: number): Promise<number> => {
  const space = await namespaceOf(pid);
  if (space === undefined) return 0;
  const files = new Map<number, number>();
  for (const process of await readdir("/proc")) {
    if (!/^\d+$/.test(process) || (await namespaceOf(process)) !== space) continue;
    const held = `/proc/${process}/fd`;
    for (const fd of (await unlessGone(readdir(held))) ?? []) {
      const stats = await unlessGone(stat(`${held}/${fd}`));
      if (stats?.nlink === 0 && stats.dev === device) files.set(stats.ino, stats.blocks * BLOCK_BYTES);
    }
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
};

const namespaceOf = (process: string | number): Promise<string | undefined> =>
  unlessGone(readlink(`/proc/${process}/ns/pid`));

/** Processes and their descriptors come and go, and some are another user's. */
const unlessGone = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
};

const PASSED_OVER = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);
