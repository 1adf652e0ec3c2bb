import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing, removeTree } from "./directories.ts";
import { placeIn, type ThreadPlace } from "./layout.ts";

/** Used checkouts that are kept per repository. */
const POOL_SIZE = 4;

/** Takes a used checkout for a thread; false when there is none. Two takers never get the same one. */
export const takeFromPool = async (pool: string, place: ThreadPlace): Promise<boolean> => {
  for (const name of await entriesOf(pool)) {
    try {
      await mkdir(dirname(place.directory), { recursive: true });
      await rename(join(pool, name), place.directory);
      return true;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return false;
};

/** Gives a thread's checkout back. What only that thread needed is removed; with enough in the pool, all of it is. */
export const giveToPool = async (pool: string, place: ThreadPlace): Promise<void> => {
  await rm(place.state, { force: true });
  if ((await entriesOf(pool)).length >= POOL_SIZE) {
    await removeTree(place.directory);
    return;
  }
  const used = placeIn(place.directory);
  await removeTree(used.output);
  await removeTree(join(used.tree, ".git"));
  await dropObjects(join(used.git, "objects"));
  await mkdir(pool, { recursive: true });
  await rename(place.directory, join(pool, basename(place.directory)));
};

const dropObjects = async (objects: string): Promise<void> => {
  for (const name of await entriesOf(objects))
    if (/^[0-9a-f]{2}$/.test(name)) await removeTree(join(objects, name));
};

const entriesOf = async (directory: string): Promise<string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};
