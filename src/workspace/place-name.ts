import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The name that a directory has among those of all machines, given once and kept in it: whoever shares the volume reads
 * the same one, whatever the machine is called and wherever it is mounted.
 */
export const placeName = async (directory: string): Promise<string> => {
  const path = join(directory, "place");
  const known = await readFile(path, "utf8").catch(undefinedIfMissing);
  if (known !== undefined) return known.trim();
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, `${randomUUID()}\n`);
  try {
    // Of several processes that are the first, one gives the name.
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return (await readFile(path, "utf8")).trim();
};

const undefinedIfMissing = (error: unknown): undefined => {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
};
