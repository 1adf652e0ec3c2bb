import type { EngineGit } from "./engine-git.ts";
import type { TreeChange } from "./published-tree.ts";

/** One entry of a tree; `mode` null: removed. */
export type TreeEntry = { path: string; mode: string | null; object: string };

/** Puts entries into an index and answers the tree that results. */
export const writeTree = async (
  git: EngineGit,
  { gitDir, index, entries }: { gitDir: string; index: string; entries: readonly TreeEntry[] },
): Promise<string> => {
  if (entries.length > 0) {
    const stdin = inOrder(entries)
      .map(({ path, mode, object }) => `${mode ?? "0"} ${object}\t${path}\0`)
      .join("");
    await git.text({ args: ["update-index", "-z", "--index-info"], gitDir, index, stdin });
  }
  return git.text({ args: ["write-tree"], gitDir, index });
};

/** Removals first: a file may have become a directory, or the other way round. */
const inOrder = (entries: readonly TreeEntry[]): TreeEntry[] => [
  ...entries.filter(({ mode }) => mode === null),
  ...entries.filter(({ mode }) => mode !== null),
];

/** What is different between two trees, in git's order. Modes as git writes them; null on the side where it is not. */
export const diffTrees = async (
  git: EngineGit,
  { gitDir, from, to }: { gitDir: string; from: string; to: string },
): Promise<TreeChange[]> => {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", "--end-of-options", from, to];
  const fields = (await git.bytes({ args, gitDir })).toString("utf8").split("\0");
  const entries: TreeChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [was = "", mode = "", , object = ""] = (fields[i] ?? "").slice(":".length).split(" ");
    entries.push({ path: fields[i + 1] ?? "", was: modeOf(was), mode: modeOf(mode), object });
  }
  return entries;
};

const modeOf = (mode: string): string | null => (mode === "000000" ? null : mode);
