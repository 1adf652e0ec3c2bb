import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Hash } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { makeNode } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import { findChanges } from "./changes.ts";
import type { EngineGit } from "./engine-git.ts";
import { keepFiles, tooMuch } from "./keep-files.ts";
import type { ThreadPlace } from "./layout.ts";
import { submodulesOf } from "./submodules.ts";
import type { Taken } from "./take-file.ts";
import { diffTrees, type TreeEntry, writeTree } from "./tree.ts";

type Parts = { git: EngineGit; store: Pick<Store, "put">; log: Log };

const MAX_FILES = 20_000;

/**
 * Stores what differs from `base`: a `text` node per file and one `workspace` node, whose hash it answers. The same
 * files give the same hash. The work tree is read, never asked: no hook, filter or setting in it has any effect.
 * Throws `file-too-large` and `capture-too-large` (fix-input).
 */
export const captureTree = async (
  place: ThreadPlace,
  { repository, base, git, store, log }: Parts & { repository: string; base: string },
): Promise<Hash> => {
  const { changed, removed, unnameable } = await findChanges(place, git);
  if (changed.length > MAX_FILES) throw tooMuch(`${changed.length} files differ`);
  const kept = await keepFiles(place, changed, { base, store });
  const { submodules, gone } = await sortDirectories(place, kept.directories, git);
  for (const path of submodules) kept.leftOut.push({ path, why: "changes of a submodule are not kept" });
  for (const raw of unnameable) kept.leftOut.push({ path: raw, why: "its name is not UTF-8" });
  for (const { path, why } of kept.leftOut)
    log.warn({ path, workspace: place.directory }, `left out: ${why}`);
  const removals = [...removed, ...kept.gone, ...gone].map((path) => removalOf(path, base));
  if (kept.entries.length === 0 && removals.length === 0)
    return unchanged(place, { repository, base, git, store });
  const tree = await withCopiedIndex(place, (index) =>
    writeTree(git, { gitDir: place.git, index, entries: [...removals, ...kept.entries] }),
  );
  const node = makeNode("workspace", {
    repository,
    base,
    tree,
    files: await filesOf(place, { base, tree, git, contents: kept.contents }),
  });
  await store.put([node]);
  return node.hash;
};

const unchanged = async (
  place: ThreadPlace,
  { repository, base, git, store }: Omit<Parts, "log"> & { repository: string; base: string },
): Promise<Hash> => {
  const tree = await git.text({ args: ["rev-parse", "--verify", `${base}^{tree}`], gitDir: place.git });
  const node = makeNode("workspace", { repository, base, tree, files: [] });
  await store.put([node]);
  return node.hash;
};

/** The engine's index stays at the base, so that a capture depends on the files alone. */
const withCopiedIndex = async <T>(place: ThreadPlace, use: (index: string) => Promise<T>): Promise<T> => {
  const index = join(place.git, "index.capture");
  await copyFile(join(place.git, "index"), index);
  try {
    return await use(index);
  } finally {
    await rm(index, { force: true });
  }
};

const filesOf = async (
  place: ThreadPlace,
  {
    base,
    tree,
    git,
    contents,
  }: { base: string; tree: string; git: EngineGit; contents: ReadonlyMap<string, Hash> },
) => {
  const entries = await diffTrees(git, { gitDir: place.git, from: `${base}^{tree}`, to: tree });
  return entries.map(({ path, mode }) => ({ path, mode: modeOf(mode), content: contents.get(path) ?? null }));
};

const modeOf = (mode: string | null): Taken["mode"] | null =>
  mode === "100644" || mode === "100755" || mode === "120000" ? mode : null;

const removalOf = (path: string, base: string): TreeEntry => ({
  path,
  mode: null,
  object: "0".repeat(base.length),
});

/** A directory where the base has a file means that the file is gone; where it has a submodule, nothing. */
const sortDirectories = async (
  place: ThreadPlace,
  directories: readonly string[],
  git: EngineGit,
): Promise<{ submodules: string[]; gone: string[] }> => {
  if (directories.length === 0) return { submodules: [], gone: [] };
  const listed = new Set(await submodulesOf(place, git));
  return {
    submodules: directories.filter((path) => listed.has(path)),
    gone: directories.filter((path) => !listed.has(path)),
  };
};
