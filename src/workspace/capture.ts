import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import { formatOf } from "./bare-repository.ts";
import { findChanges } from "./changes.ts";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";
import { writeBlob } from "./objects.ts";
import { type LeftOut, type Taken, takeFile, textOf } from "./take-file.ts";
import { diffTrees, type TreeEntry, writeTree } from "./tree.ts";

type Parts = { git: EngineGit; store: Pick<Store, "put">; log: Log };
type Kept = { entries: TreeEntry[]; contents: Map<string, Hash>; leftOut: LeftOut[] };

const BATCH = 64;
const MAX_FILES = 20_000;
const MAX_BYTES = 512 * 1024 * 1024;

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
  for (const raw of unnameable) kept.leftOut.push({ path: raw, why: "its name is not UTF-8" });
  for (const { path, why } of kept.leftOut)
    log.warn({ path, workspace: place.directory }, `left out: ${why}`);
  const removals = removed.map((path) => ({ path, mode: null, object: "0".repeat(base.length) }));
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

const keepFiles = async (
  place: ThreadPlace,
  paths: readonly string[],
  { base, store }: { base: string; store: Pick<Store, "put"> },
): Promise<Kept> => {
  const kept: Kept = { entries: [], contents: new Map(), leftOut: [] };
  const root = { host: place.tree, names: [] };
  let total = 0;
  for (let start = 0; start < paths.length; start += BATCH) {
    const batch = await Promise.all(paths.slice(start, start + BATCH).map((path) => takeFile(root, path)));
    kept.leftOut.push(...batch.filter((each): each is LeftOut => "why" in each));
    const files = batch.filter((each): each is Taken => "bytes" in each);
    total += files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (total > MAX_BYTES) throw tooMuch(`more than ${MAX_BYTES / 1024 / 1024} MiB differ`);
    await store.put(await Promise.all(files.map((file) => keepFile(place, file, { base, kept }))));
  }
  return kept;
};

const keepFile = async (
  place: ThreadPlace,
  { path, mode, bytes }: Taken,
  { base, kept }: { base: string; kept: Kept },
): Promise<Node<"text">> => {
  const object = await writeBlob(join(place.git, "objects"), bytes, { format: formatOf(base) });
  const node = makeNode("text", textOf(bytes));
  kept.entries.push({ path, mode, object });
  kept.contents.set(path, node.hash);
  return node;
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

const tooMuch = (what: string) =>
  inputError(
    "capture-too-large",
    `${what} from the base: too much to keep.`,
    "Remove what was generated or installed, or add it to .gitignore.",
  );
