import { createHash, randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { ObjectFormat } from "./bare-repository.ts";
import { exists } from "./directories.ts";

const compress = promisify(deflate);

/**
 * Stores bytes as a loose blob (git's own format: the deflated header `blob <size>\0` and the contents) and answers
 * its name. Git itself would open the file by its path and follow whatever is there by then.
 */
export const writeBlob = async (
  objects: string,
  bytes: Uint8Array,
  { format }: { format: ObjectFormat },
): Promise<string> => {
  const header = Buffer.from(`blob ${bytes.length}\0`, "latin1");
  const name = createHash(format).update(header).update(bytes).digest("hex");
  const directory = join(objects, name.slice(0, 2));
  const path = join(directory, name.slice(2));
  if (await exists(path)) return name;
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `tmp_obj_${randomBytes(6).toString("hex")}`);
  await writeFile(temporary, await compress(Buffer.concat([header, bytes]), { level: 1 }), { mode: 0o444 });
  await rename(temporary, path);
  return name;
};
