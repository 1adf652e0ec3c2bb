import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "./directories.ts";

/**
 * The name that a directory has among those of all machines, given once and kept in it: whoever shares the volume reads
 * the same one, whatever the machine is called and wherever it is mounted.
 */
export const placeName = async (directory: string): Promise<string> => {
  const path = join(directory, "place");
  if (!(await exists(path))) await giveName(path);
  return (await readFile(path, "utf8")).trim();
};

/** Of several processes that are the first, one gives the name. */
const giveName = async (path: string): Promise<void> => {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, `${randomUUID()}\n`);
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(temporary);
  }
};
