import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/**
 * Works in a folder of a tree that was found a moment ago, held open on Linux on the whole way to it: a program of the thread's that
 * still runs, such as a server of tools, may put a link to elsewhere in its place. `folder`: relative, byte for byte, with a slash at its
 * end, or empty. Undefined when it is no folder any more, or what `work` looks for in it is gone.
 */
export const inFolder = async <T>(
  tree: string,
  folder: Buffer,
  work: (at: (name: Buffer | string) => Buffer) => Promise<T>,
): Promise<T | undefined> => {
  const held: FileHandle[] = [];
  try {
    let way = Buffer.from(`${tree}/`);
    if (process.platform === "linux") {
      for (const name of ["", ...namesIn(folder)]) {
        const handle = await open(below(way, name), FLAGS);
        held.push(handle);
        // By this process's number: programs that it starts have to find it, too.
        way = Buffer.from(`/proc/${process.pid}/fd/${handle.fd}/`);
      }
    } else way = Buffer.concat([way, folder]);
    return await work((name) => below(way, name));
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  } finally {
    for (const handle of held) await handle.close();
  }
};

const namesIn = (folder: Buffer): Buffer[] =>
  folder
    .toString("latin1")
    .split("/")
    .filter((name) => name !== "")
    .map((name) => Buffer.from(name, "latin1"));

const below = (way: Buffer, name: Buffer | string): Buffer => Buffer.concat([way, Buffer.from(name)]);
