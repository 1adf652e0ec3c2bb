import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { bugError, messageOf } from "../../base/errors.ts";

const BLOCK_BYTES = 512;
const MOST_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/**
 * What files without a name take of the file system of `directory`, in bytes, as far as the processes of a sandbox hold them by a
 * descriptor: those in the process namespace of `first`, the sandbox's own first process. null when that cannot be told, because
 * one of them may not be looked at. On Linux alone.
 */
export const namelessBytes = async (first: number, directory: string): Promise<number | null> => {
  const space = await namespaceOf(first);
  if (space === "gone") return 0;
  if (space === "closed") return null;
  const tables: string[] = [];
  for (const process of await readdir("/proc")) {
    if (!/^\d+$/.test(process) || Number(process) === first || (await namespaceOf(process)) !== space)
      continue;
    // Each thread may have a table of its own, and outlive the first one.
    for (const thread of await threadsOf(process)) tables.push(`/proc/${process}/task/${thread}/fd`);
  }
  return tables.length === 0 ? 0 : sumOf(tables, statSync(directory).dev);
};

const namespaceOf = async (process: string | number): Promise<string> => {
  try {
    return await readlink(`/proc/${process}/ns/pid`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return "gone";
    if (code === "EACCES" || code === "EPERM") return "closed";
    throw error;
  }
};

const threadsOf = async (process: string): Promise<string[]> => {
  try {
    return await readdir(`/proc/${process}/task`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return [];
    throw error;
  }
};

/** A program of its own looks at them: there may be a hundred thousand. */
const sumOf = (tables: readonly string[], device: number): Promise<number | null> => {
  const expression = ["-mindepth", "1", "-maxdepth", "1", "-links", "0", "-printf", "%D %i %b\\n"];
  const options = {
    env: ENVIRONMENT,
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: MOST_MS,
    killSignal: "SIGKILL",
  } as const;
  return new Promise((resolve, reject) => {
    execFile("find", ["-L", ...tables, ...expression], options, (error, output, errors) => {
      // 1: something has gone meanwhile, or is closed.
      if (error !== null && error.code !== 1)
        reject(bugError(`find failed over open files: ${messageOf(error)}`, error));
      else if (CLOSED.test(errors)) resolve(null);
      else resolve(sumOn(device, output));
    });
  });
};

const CLOSED = /: Permission denied\n/;

/** A file may be open more than once. */
const sumOn = (device: number, output: string): number => {
  const files = new Map<string, number>();
  for (const line of output.split("\n")) {
    const [on, inode = "", blocks] = line.split(" ");
    if (on === String(device)) files.set(inode, Number(blocks) * BLOCK_BYTES);
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
};
