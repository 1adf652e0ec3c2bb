import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What is there for one run of a program, and is removed after it. */
export type RunDirectory = {
  /** Where the program may write what it did, as JSON lines. */
  trace: string;
  /** The search path with this uwf's own programs first: an agent asks the uwf that runs it. */
  searchPath(path: string | undefined): string;
};

const PROGRAMS = { uwf: "../../../bin/uwf.js", "uwf-builtin": "../../../bin/uwf-builtin.js" };

export const withRunDirectory = async <T>(work: (directory: RunDirectory) => Promise<T>): Promise<T> => {
  const root = await mkdtemp(join(tmpdir(), "uwf-program-"));
  try {
    const bin = join(root, "bin");
    await mkdir(bin);
    for (const [name, file] of Object.entries(PROGRAMS))
      await symlink(fileURLToPath(new URL(file, import.meta.url)), join(bin, name));
    return await work({
      trace: join(root, "trace.jsonl"),
      searchPath: (path) => [bin, ...(path ? [path] : [])].join(delimiter),
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
