import { spawn } from "node:child_process";

/** Bytes on the disk, and files of any kind. */
export type DiskUse = { bytes: number; files: number };

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** What the directories take together, counted by `du`, which stays on their file system and follows no link. */
export const diskUse = async (directories: readonly string[]): Promise<DiskUse> => {
  const [bytes, files] = await Promise.all([
    total(["--block-size=1", ...directories]),
    total(["--inodes", ...directories]),
  ]);
  return { bytes, files };
};

const total = (args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { env: { PATH }, stdio: ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"] };
    const du = spawn("du", ["--one-file-system", "--total", "--summarize", ...args], options);
    let output = "";
    du.stdout.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("latin1")).slice(-200);
    });
    du.on("error", reject);
    // Files that are removed while it looks make it end with 1: what it counted is told all the same.
    du.on("close", () => {
      const sum = /^(\d+)\ttotal$/m.exec(output)?.[1];
      if (sum === undefined) reject(new Error(`du says ${output}`));
      else resolve(Number(sum));
    });
  });
