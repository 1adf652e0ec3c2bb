import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { BareRepository } from "../github/bare-repository.ts";
import { git } from "../github/git.ts";

const WHO = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Ada Example"],
    [`GIT_${role}_EMAIL`, "ada@example.com"],
  ]),
);

/** Commits one file to a branch, as the web's editor does. */
export const writeFile = async (
  { directory }: BareRepository,
  { path, content, branch }: { path: string; content: Uint8Array; branch: string },
): Promise<void> => {
  const env = { ...WHO, GIT_DIR: directory, GIT_INDEX_FILE: join(directory, "rig-index") };
  const blob = await git(["hash-object", "-w", "--stdin"], { env, input: content });
  await git(["read-tree", `refs/heads/${branch}`], { env });
  await git(["update-index", "--add", "--cacheinfo", `100644,${blob.trim()},${path}`], { env });
  const tree = (await git(["write-tree"], { env })).trim();
  const commit = await git(["commit-tree", tree, "-p", `refs/heads/${branch}`, "-m", `Write ${path}`], {
    env,
  });
  await git(["update-ref", `refs/heads/${branch}`, commit.trim()], { env });
  await rm(env.GIT_INDEX_FILE, { force: true });
};

/** Merges one branch into another; throws where they conflict. */
export const mergeBranch = async (
  { directory }: BareRepository,
  { base, head }: { base: string; head: string },
): Promise<void> => {
  const env = { ...WHO, GIT_DIR: directory };
  const tree = (await git(["merge-tree", "--write-tree", base, head], { env })).trim();
  const parents = ["-p", `refs/heads/${base}`, "-p", head];
  const commit = await git(["commit-tree", tree, ...parents, "-m", `Merge into ${base}`], { env });
  await git(["update-ref", `refs/heads/${base}`, commit.trim()], { env });
};
