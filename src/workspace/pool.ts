import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { cleanCheckout } from "./checkout.ts";
import { entriesOf, isMissing, removeTree } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";
import type { Owner } from "./workspace-files.ts";

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

/**
 * Gives a thread's checkout back, as clean as a new one; with enough in the pool, or when git cannot mend it, it is
 * removed instead. Nothing in the pool needs to be looked at again.
 */
export const giveToPool = async (
  pool: string,
  place: ThreadPlace,
  { log, ...options }: { base: string; git: EngineGit; owner: Owner | null; log: Log },
): Promise<void> => {
  await rm(place.state, { force: true });
  if ((await entriesOf(pool)).length >= POOL_SIZE) return removeTree(place.directory);
  try {
    await removeTree(place.output);
    await removeTree(place.home);
    await cleanCheckout(place, options);
    await mkdir(pool, { recursive: true });
    await rename(place.directory, join(pool, basename(place.directory)));
  } catch (error) {
    log.warn({ workspace: place.directory, error: messageOf(error) }, "a used checkout is thrown away");
    await removeTree(place.directory);
  }
};
