import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every file below a directory as git would list it, by lstat alone; what makes a directory a repository is none. */
export const treeOnDisk = (root: string, { leftOut }: { leftOut: readonly string[] }): string[] => {
  const lines: string[] = [];
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git" || leftOut.includes(path)) continue;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink())
        lines.push(entry("120000", Buffer.from(readlinkSync(join(root, path))), path));
      else if (stats.isFile())
        lines.push(
          entry((stats.mode & 0o100) === 0 ? "100644" : "100755", readFileSync(join(root, path)), path),
        );
    }
  };
  walk("");
  return lines.sort();
};

const entry = (mode: string, bytes: Buffer, path: string): string => {
  const object = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  return `${mode} blob ${object}\t${path}`;
};
