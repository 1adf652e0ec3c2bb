import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own in a directory, a few megabytes large. */
export type SmallDisk = {
  path: string;
  /** Leaves not one block free. */
  fill(): void;
  free(): void;
  dispose(): void;
};

/** True for root where file systems can be mounted. */
export const smallDisksAreHere = (): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const directory = mkdtempSync(join(tmpdir(), "uwf-disk-"));
  try {
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "uwf-test", directory]).status !== 0)
      return false;
    return spawnSync("umount", [directory]).status === 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export const smallDisk = (path: string): SmallDisk => {
  mkdirSync(path, { mode: 0o700 });
  mount("mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "uwf-test", path);
  const filling = (index: number) => join(path, `filling-${index}`);
  let files = 0;
  const fill = (): void => {
    for (let size = 1 << 20; size >= 1 << 12; ) {
      try {
        writeFileSync(filling(files++), Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        if (statfsSync(path).bavail * statfsSync(path).bsize < size) size /= 2;
      }
    }
  };
  const free = (): void => {
    while (files > 0) rmSync(filling(--files), { force: true });
  };
  return {
    path,
    fill,
    free,
    // A process that has just been killed may still hold it.
    dispose: () => mount("umount", "--lazy", path),
  };
};

const mount = (program: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
};
