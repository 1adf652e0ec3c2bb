import { join } from "node:path";
import { type AppError, inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import { formatOf } from "./bare-repository.ts";
import type { ThreadPlace } from "./layout.ts";
import { writeBlob } from "./objects.ts";
import { type LeftOut, type Taken, takeFile, textOf } from "./take-file.ts";
import type { TreeEntry } from "./tree.ts";

export type Kept = {
  entries: TreeEntry[];
  /** The `text` node of each path. */
  contents: Map<string, Hash>;
  leftOut: LeftOut[];
  gone: string[];
  /** Paths of the index at which there is a directory. */
  directories: string[];
};

type Options = { base: string; store: Pick<Store, "put"> };

const BATCH = 16;
const MAX_BYTES = 512 * 1024 * 1024;

/** Reads files once, and stores each as a blob of the engine's repository and as a `text` node. */
export const keepFiles = async (
  place: ThreadPlace,
  paths: readonly string[],
  { base, store }: Options,
): Promise<Kept> => {
  const kept: Kept = { entries: [], contents: new Map(), leftOut: [], gone: [], directories: [] };
  const root = { host: place.tree, names: [] };
  let total = 0;
  for (let start = 0; start < paths.length; start += BATCH) {
    const batch = await Promise.all(paths.slice(start, start + BATCH).map((path) => takeFile(root, path)));
    const files: Taken[] = [];
    for (const each of batch) {
      if ("bytes" in each) files.push(each);
      else if ("why" in each) kept.leftOut.push(each);
      else if ("gone" in each) kept.gone.push(each.path);
      else kept.directories.push(each.path);
    }
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

export const tooMuch = (what: string): AppError =>
  inputError(
    "capture-too-large",
    `${what} from the base: too much to keep.`,
    "Remove what was generated or installed, or add it to .gitignore.",
  );
