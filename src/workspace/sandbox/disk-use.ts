import { spawn } from "node:child_process";
import { openDirectories } from "../closed-directories.ts";

/** Bytes on the disk, and files of any kind. */
export type DiskUse = { bytes: number; files: number };

const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
/** Directories closed within each other, or again meanwhile, are opened so often, and begun with for so long. */
const PASSES = 10;
const MOST_MS = 2_000;

/**
 * What the directories take together, counted by `du`, which stays on their file system and follows no link. What is closed
 * to its owner is opened, so that nothing hides in it, unless what is seen without it is too much already. Throws when it cannot be.
 */
export const diskUse = async (
  directories: readonly string[],
  isTooMuch: (use: DiskUse) => boolean = () => false,
): Promise<DiskUse> => {
  const until = performance.now() + MOST_MS;
  for (let pass = 0; pass < PASSES && performance.now() < until; pass++) {
    const [bytes, files] = await Promise.all([
      total(["--block-size=1", ...directories]),
      total(["--inodes", ...directories]),
    ]);
    const use = { bytes: bytes.sum, files: files.sum };
    if (!(bytes.isClosed || files.isClosed) || isTooMuch(use)) return use;
    for (const directory of directories) await openDirectories(directory);
  }
  throw new Error("it has directories that stay closed to their owner");
};

/** `isClosed`: there was something that `du` could not look into. */
const total = (args: readonly string[]): Promise<{ sum: number; isClosed: boolean }> =>
  new Promise((resolve, reject) => {
    const du = spawn("du", ["--one-file-system", "--total", "--summarize", ...args], { env: ENVIRONMENT });
    let output = "";
    let errors = "";
    let isClosed = false;
    du.stdout.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("latin1")).slice(-200);
    });
    du.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString("latin1")).slice(-LONGEST);
      isClosed ||= CLOSED.test(errors);
    });
    du.on("error", reject);
    // Files that are removed while it looks make it end with 1: what it counted is told all the same.
    du.on("close", () => {
      const sum = /^(\d+)\ttotal$/m.exec(output)?.[1];
      if (sum === undefined) reject(new Error(`du says ${output}`));
      else resolve({ sum: Number(sum), isClosed });
    });
  });

/** Of one piece that `du` writes, and the line that it may cut. */
const LONGEST = 128 * 1024;
/** Names stand in quotation marks before it, and have no line break there. */
const CLOSED = /: Permission denied\n/;
