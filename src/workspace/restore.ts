import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bugError } from "../base/errors.ts";
import type { Payload } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import { formatOf } from "./bare-repository.ts";
import { giveTo, inTree } from "./checkout.ts";
import { undoModes, withDefused } from "./defuse.ts";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";
import { removeLinkedFolders } from "./linked-folders.ts";
import { writeBlob } from "./objects.ts";
import { bytesOf } from "./take-file.ts";
import { type TreeEntry, writeTree } from "./tree.ts";
import type { Owner } from "./workspace-files.ts";

type Parts = { git: EngineGit; store: Pick<Store, "loadAll"> };
type Captured = Payload<"workspace">;

const BATCH = 64;

/** Makes the tree of a `workspace` node in a git directory that knows its base, and checks that it is the same tree. */
export const rebuildTree = async (
  captured: Captured,
  { gitDir, git, store }: Parts & { gitDir: string },
): Promise<void> => {
  const index = join(gitDir, "index.restore");
  try {
    await git.text({ args: ["read-tree", captured.base], gitDir, index });
    const entries = await entriesOf(captured, { gitDir, store });
    const tree = await writeTree(git, { gitDir, index, entries });
    if (tree !== captured.tree)
      throw bugError(
        `the captured files make the tree ${tree}, not ${captured.tree} as the workspace node says`,
      );
  } finally {
    await rm(index, { force: true });
  }
};

/** Brings a clean checkout of the base to a captured state. The engine's index stays at the base. */
export const restoreTree = async (place: ThreadPlace, captured: Captured, parts: Parts): Promise<void> => {
  if (captured.files.length === 0) return;
  await rebuildTree(captured, { gitDir: place.git, ...parts });
  await inTree(parts.git, place, ["read-tree", "-m", "-u", captured.base, captured.tree]);
  await inTree(parts.git, place, ["read-tree", "--reset", captured.base]);
};

/** Brings a used work tree to a captured state of the same base. What git ignores stays, and so does the role's own repository. */
export const replaceTree = async (
  place: ThreadPlace,
  captured: Captured,
  { owner, ...parts }: Parts & { owner: Owner | null },
): Promise<void> => {
  await undoModes(place.tree);
  await withDefused(place.tree, async ({ links }) => {
    await removeLinkedFolders(place, { git: parts.git, links });
    await inTree(parts.git, place, ["read-tree", "--reset", "-u", captured.base]);
    await inTree(parts.git, place, ["clean", "-ffdq"]);
    await restoreTree(place, captured, parts);
  });
  await giveTo(owner, place.tree);
};

const entriesOf = async (
  { files, base }: Captured,
  { gitDir, store }: Pick<Parts, "store"> & { gitDir: string },
): Promise<TreeEntry[]> => {
  const entries: TreeEntry[] = [];
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = files.slice(start, start + BATCH);
    const hashes = batch.flatMap(({ content }) => (content === null ? [] : [content]));
    const texts = await store.loadAll("text", hashes);
    const blobs = await Promise.all(
      texts.map((text) => writeBlob(join(gitDir, "objects"), bytesOf(text), { format: formatOf(base) })),
    );
    for (const { path, mode, content } of batch) {
      const object = content === null ? "0".repeat(base.length) : (blobs.shift() ?? "");
      entries.push({ path, mode: content === null ? null : mode, object });
    }
  }
  return entries;
};
