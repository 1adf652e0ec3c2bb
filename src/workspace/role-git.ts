import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatOf, makeRepository } from "./bare-repository.ts";
import { removeTree } from "./directories.ts";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";
import { BYTE_FOR_BYTE, TEMPORARY_PREFIX } from "./names.ts";

/** The branch that roles find themselves on. */
const BRANCH = "work";

const CONFIG = ["bare = false", "logAllRefUpdates = true", "[user]", "name = uwf", "email = uwf@localhost"];

/**
 * Gives roles a repository of their own, so that log, diff and status work: no remote, no credential, the mirror's
 * objects by reference. They may do with it what they like: the engine never runs git in it nor reads it.
 */
export const makeRoleRepository = async (
  place: ThreadPlace,
  { base, mirror, git }: { base: string; mirror: string; git: EngineGit },
): Promise<void> => {
  const directory = join(place.tree, ".git");
  const refs = refsOf(mirror, git);
  await removeTree(directory);
  await makeRepository(directory, {
    format: formatOf(base),
    head: `ref: refs/heads/${BRANCH}`,
    alternates: [join(mirror, "objects")],
    config: CONFIG,
  });
  await writeFile(join(directory, "packed-refs"), `${base} refs/heads/${BRANCH}\n${await refs}`);
  await writeFile(join(directory, "info/exclude"), `${TEMPORARY_PREFIX}*\n`);
  await writeFile(join(directory, "info/attributes"), BYTE_FOR_BYTE);
  await copyFile(join(place.git, "index"), join(directory, "index"));
};

/** For a workspace without a repository. */
export const makeEmptyRepository = async (place: ThreadPlace): Promise<void> => {
  const directory = join(place.tree, ".git");
  await makeRepository(directory, {
    format: "sha1",
    head: `ref: refs/heads/${BRANCH}`,
    alternates: [],
    config: CONFIG,
  });
  await writeFile(join(directory, "info/exclude"), `${TEMPORARY_PREFIX}*\n`);
};

/** The source's branches and tags, as `origin` would have them. */
const refsOf = async (mirror: string, git: EngineGit): Promise<string> => {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"];
  const refs = await git.text({ args, gitDir: mirror });
  return refs
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => `${line.replace(" refs/heads/", " refs/remotes/origin/")}\n`)
    .join("");
};
