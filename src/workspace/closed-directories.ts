import { constants } from "node:fs";
import { chmod, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { find } from "./find.ts";
import { inFolder } from "./held-folder.ts";

/** open(2): to name a file, without a right to read it; Node has no name for it. */
const O_PATH = 0o10000000;
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Who may list a directory and go into it sees what is there. */
const OPEN = 0o500;

/**
 * Opens the directories of a tree that are closed to their owner, as far as they can be seen: what is closed within them is
 * for the next time. Links are never followed, whatever programs do in the tree meanwhile. On Linux alone.
 */
export const openDirectories = async (tree: string): Promise<void> => {
  await openDirectory(dirname(tree), Buffer.from(basename(tree)));
  for (const path of await find(tree, ["-mindepth", "1", "-type", "d", "!", "-perm", "-0500", "-print0"]))
    await openDirectory(tree, path);
};

const openDirectory = async (tree: string, path: Buffer): Promise<void> => {
  const end = path.lastIndexOf("/") + 1;
  try {
    await inFolder(tree, path.subarray(0, end), async (at) => {
      const held = await open(at(path.subarray(end)), FLAGS);
      try {
        const { mode } = await held.stat();
        if ((mode & OPEN) !== OPEN) await chmod(`/proc/${process.pid}/fd/${held.fd}`, (mode & 0o7777) | OPEN);
      } finally {
        await held.close();
      }
    });
  } catch (error) {
    // One on the way to it has been closed meanwhile: programs may be at work in the tree.
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
  }
};
