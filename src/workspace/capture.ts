import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import { type CaptureMemory, entriesText } from "./capture-memory.ts";
import { type Changes, findChanges } from "./changes.ts";
import type { EngineGit } from "./engine-git.ts";
import { keepFiles, tooMuch } from "./keep-files.ts";
import type { ThreadPlace } from "./layout.ts";
import { submodulesOf } from "./submodules.ts";
import type { LeftOut, Taken } from "./take-file.ts";
import { diffTrees, type TreeEntry, writeTree } from "./tree.ts";

type Parts = { git: EngineGit; store: Pick<Store, "put">; log: Log; memory: CaptureMemory };
type Options = Parts & { repository: string; base: string };

const MAX_FILES = 20_000;
/** How many captures share the index's cached times. Without it, files that were only touched are read each time. */
const RENEWED_EACH = 8;

/**
 * Stores what differs from `base`: a `text` node per file and one `workspace` node, whose hash it answers. The same
 * files give the same hash. The work tree is read, never asked: no hook, filter or setting in it has any effect.
 * Throws `file-too-large` and `capture-too-large` (fix-input).
 */
export const captureTree = async (place: ThreadPlace, options: Options): Promise<Hash> => {
  const { memory } = options;
  const times = memory.captures++ % RENEWED_EACH === 0 ? "renewed" : "as-cached";
  const changes = await findChanges(place, { git: options.git, times });
  if (changes.changed.length > MAX_FILES) throw tooMuch(`${changes.changed.length} files differ`);
  try {
    return await keepChanges(place, changes, options);
  } catch (error) {
    // What was stored for a capture that came to nothing may have been collected since.
    if (!(error instanceof AppError && error.code === "node-missing") || memory.files.size === 0) throw error;
    memory.files.clear();
    memory.last = null;
    return keepChanges(place, changes, options);
  }
};

const keepChanges = async (place: ThreadPlace, changes: Changes, options: Options): Promise<Hash> => {
  const { base, git, store, memory } = options;
  const kept = await keepFiles(place, changes.changed, options);
  const { submodules, gone } = await sortDirectories(place, kept.directories, git);
  for (const path of submodules) kept.leftOut.push({ path, why: "changes of a submodule are not kept" });
  for (const raw of changes.unnameable) kept.leftOut.push({ path: raw, why: "its name is not UTF-8" });
  tellLeftOut(place, kept.leftOut, options);
  const removals = [...changes.removed, ...kept.gone, ...gone].map((path) => removalOf(path, base));
  const entries = [...removals, ...kept.entries];
  const text = entriesText(entries);
  const node =
    memory.last?.entries === text
      ? memory.last.node
      : await makeWorkspace(place, { ...options, entries, contents: kept.contents });
  await store.put([node]);
  memory.last = { entries: text, node };
  return node.hash;
};

/** Each path once, as long as the process remembers. */
const tellLeftOut = (place: ThreadPlace, leftOut: readonly LeftOut[], { log, memory }: Options): void => {
  for (const { path, why } of leftOut) {
    if (memory.told.has(`${path}\0${why}`)) continue;
    memory.told.add(`${path}\0${why}`);
    log.warn({ path, workspace: place.directory }, `left out: ${why}`);
  }
};

const makeWorkspace = async (
  place: ThreadPlace,
  options: Options & { entries: readonly TreeEntry[]; contents: ReadonlyMap<string, Hash> },
): Promise<Node<"workspace">> => {
  const { repository, base, git, entries, contents } = options;
  if (entries.length === 0) {
    const args = ["rev-parse", "--verify", `${base}^{tree}`];
    const tree = await git.text({ args, gitDir: place.git });
    return makeNode("workspace", { repository, base, tree, files: [] });
  }
  const tree = await withCopiedIndex(place, (index) => writeTree(git, { gitDir: place.git, index, entries }));
  const files = await filesOf(place, { base, tree, git, contents });
  return makeNode("workspace", { repository, base, tree, files });
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
