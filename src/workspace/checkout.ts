import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { formatOf, makeRepository } from "./bare-repository.ts";
import { REFRESH } from "./changes.ts";
import { defuse, removeRepositories, undoModes } from "./defuse.ts";
import { entriesOf, makeReadable, removeTree } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";
import { removeLinkedFolders } from "./linked-folders.ts";
import { BYTE_FOR_BYTE, TEMPORARY_PREFIX } from "./names.ts";
import { makeRoleRepository } from "./role-git.ts";
import { submodulesOf } from "./submodules.ts";
import type { Owner } from "./workspace-files.ts";

export type CheckoutOptions = {
  base: string;
  /** The mirror's directory. */
  mirror: string;
  git: EngineGit;
};

/** Makes the engine's git directory and a fresh work tree at `base`. */
export const checkOut = async (place: ThreadPlace, { base, mirror, git }: CheckoutOptions): Promise<void> => {
  await makeReadable(place.tree);
  await makeRepository(place.git, {
    format: formatOf(base),
    head: base,
    alternates: [join(mirror, "objects")],
    config: ["bare = false"],
  });
  await writeFile(join(place.git, "info/attributes"), BYTE_FOR_BYTE);
  await writeFile(join(place.git, "info/exclude"), `${TEMPORARY_PREFIX}*\n`);
  await resetTo(place, base, git);
};

/** Brings a clean checkout to `base`: only what differs is written. */
export const moveCheckout = async (place: ThreadPlace, { base, git }: CheckoutOptions): Promise<void> => {
  const head = join(place.git, "HEAD");
  if ((await readFile(head, "utf8")).trim() === base) return;
  await rm(join(place.git, "index.lock"), { force: true });
  await resetTo(place, base, git);
  await writeFile(head, `${base}\n`);
};

/**
 * Makes a used checkout what it was at `base`: no change, no other file, ignored or not, no kept object. Its index is
 * made fresh, so that the next thread need not read the files.
 */
export const cleanCheckout = async (
  place: ThreadPlace,
  { base, git, owner }: Pick<CheckoutOptions, "base" | "git"> & { owner: Owner | null },
): Promise<void> => {
  await removeTree(join(place.tree, ".git"));
  await rm(join(place.git, "index.lock"), { force: true });
  await undoModes(place.tree);
  await removeRepositories(place.tree);
  const { links } = await defuse(place.tree);
  await removeLinkedFolders(place, { git, links });
  await cleanTo(place, base, git);
  await giveTo(owner, place.tree);
  await inTree(git, place, REFRESH);
  await dropLooseObjects(join(place.git, "objects"));
};

const cleanTo = async (place: ThreadPlace, base: string, git: EngineGit): Promise<void> => {
  await resetTo(place, base, git);
  const [submodules] = await Promise.all([submodulesOf(place, git), inTree(git, place, ["clean", "-ffdxq"])]);
  for (const path of submodules) await emptyDirectory(join(place.tree, path));
};

const dropLooseObjects = async (objects: string): Promise<void> => {
  for (const name of await entriesOf(objects))
    if (/^[0-9a-f]{2}$/.test(name)) await removeTree(join(objects, name));
};

/** Git does not look into a submodule's directory. */
const emptyDirectory = async (path: string): Promise<void> => {
  await removeTree(path);
  await mkdir(path);
};

/** What every workspace gets, however it was made. */
export const furnish = async (
  place: ThreadPlace,
  { owner, ...options }: CheckoutOptions & { owner: Owner | null },
): Promise<void> => {
  await makeRoleRepository(place, options);
  await makeOutput(place);
  await giveTo(owner, place.tree);
};

export const makeOutput = async (place: ThreadPlace): Promise<void> => {
  await removeTree(place.output);
  await makeReadable(place.output);
};

/** Runs git over the work tree with the engine's own git directory. */
export const inTree = (git: EngineGit, place: ThreadPlace, args: readonly string[]): Promise<string> =>
  git.text({ args, gitDir: place.git, workTree: place.tree, cwd: place.tree });

const resetTo = (place: ThreadPlace, base: string, git: EngineGit): Promise<string> =>
  inTree(git, place, ["read-tree", "--reset", "-u", base]);

/** Hands what this process made in a directory to the user that commands run as. */
export const giveTo = async (owner: Owner | null, directory: string): Promise<void> => {
  if (owner === null) return;
  await mkdir(directory, { recursive: true });
  const mine = ["-user", String(process.getuid?.() ?? 0)];
  const give = ["-exec", "chown", "-h", `${owner.uid}:${owner.gid}`, "{}", "+"];
  await promisify(execFile)("find", [directory, "-xdev", ...mine, ...give], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
};
