import { chmod, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeReadable } from "./directories.ts";

/** The length of an object's name tells the hash: 40 hexadecimal digits are SHA-1, 64 SHA-256. */
export type ObjectFormat = "sha1" | "sha256";

export const formatOf = (objectName: string): ObjectFormat => (objectName.length === 64 ? "sha256" : "sha1");

export type RepositoryOptions = {
  format: ObjectFormat;
  /** What HEAD says: a commit, or `ref: …`. */
  head: string;
  /** Object directories that this repository reads besides its own. */
  alternates: readonly string[];
  /** Further lines of `config`. */
  config?: readonly string[];
};

/** Makes a git directory without git's templates and hooks. Its contents are readable for the sandbox's user. */
export const makeRepository = async (directory: string, options: RepositoryOptions): Promise<void> => {
  for (const part of [
    "",
    "objects",
    "objects/info",
    "objects/pack",
    "refs",
    "refs/heads",
    "refs/tags",
    "info",
  ])
    await makeReadable(join(directory, part));
  const alternates = options.alternates.map((path) => `${path}\n`).join("");
  await write(join(directory, "objects/info/alternates"), alternates);
  await write(join(directory, "config"), configOf(options));
  // Last and whole: where it is, the repository was finished, whenever this process may have been killed.
  const head = join(directory, "HEAD.new");
  await write(head, `${options.head}\n`);
  await rename(head, join(directory, "HEAD"));
};

const configOf = ({ format, config = [] }: RepositoryOptions): string =>
  [
    "[core]",
    `\trepositoryformatversion = ${format === "sha256" ? 1 : 0}`,
    "\tfilemode = true",
    ...config.map((line) => `\t${line}`),
    "[gc]",
    "\tauto = 0",
    "\tpruneExpire = never",
    ...(format === "sha256" ? ["[extensions]", "\tobjectFormat = sha256"] : []),
    "",
  ].join("\n");

const write = async (path: string, text: string): Promise<void> => {
  await writeFile(path, text);
  await chmod(path, 0o644);
};
