import { join } from "node:path";
import { type AppError, inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { makeNode } from "../store/node.ts";
import type { Store } from "../store/store.ts";
import { formatOf } from "./bare-repository.ts";
import type { CaptureMemory } from "./capture-memory.ts";
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

type Options = { base: string; store: Pick<Store, "put">; memory: CaptureMemory };

const BATCH = 16;
const MAX_BYTES = 512 * 1024 * 1024;

/** Reads files that are not known, once, and stores each as a blob of the engine's repository and as a `text` node. */
export const keepFiles = async (
  place: ThreadPlace,
  paths: readonly string[],
  { base, store, memory }: Options,
): Promise<Kept> => {
  const kept: Kept = { entries: [], contents: new Map(), leftOut: [], gone: [], directories: [] };
  const root = { host: place.tree, names: [] };
  let total = 0;
  for (let start = 0; start < paths.length; start += BATCH) {
    const batch = await Promise.all(
      paths.slice(start, start + BATCH).map((path) => takeFile(root, path, memory.files.get(path))),
    );
    const read: Taken[] = [];
    for (const each of batch) {
      if ("bytes" in each) read.push(each);
      else if ("known" in each) add(kept, each.path, each.known);
      else if ("why" in each) kept.leftOut.push(each);
      else if ("gone" in each) kept.gone.push(each.path);
      else kept.directories.push(each.path);
      total += "bytes" in each ? each.bytes.length : "known" in each ? each.known.size : 0;
    }
    if (total > MAX_BYTES) throw tooMuch(`more than ${MAX_BYTES / 1024 / 1024} MiB differ`);
    await keepBatch(place, read, { base, store, memory, kept });
  }
  return kept;
};

const keepBatch = async (
  place: ThreadPlace,
  read: readonly Taken[],
  { base, store, memory, kept }: Options & { kept: Kept },
): Promise<void> => {
  if (read.length === 0) return;
  const format = formatOf(base);
  const files = await Promise.all(
    read.map(async ({ bytes, ...file }) => ({
      ...file,
      size: bytes.length,
      object: await writeBlob(join(place.git, "objects"), bytes, { format }),
      node: makeNode("text", textOf(bytes)),
    })),
  );
  await store.put(files.map(({ node }) => node));
  for (const { path, mode, size, object, node, signature } of files) {
    add(kept, path, { mode, object, content: node.hash });
    if (signature !== undefined)
      memory.files.set(path, { signature, mode, size, object, content: node.hash });
  }
};

const add = (
  kept: Kept,
  path: string,
  { mode, object, content }: { mode: string; object: string; content: Hash },
): void => {
  kept.entries.push({ path, mode, object });
  kept.contents.set(path, content);
};

export const tooMuch = (what: string): AppError =>
  inputError(
    "capture-too-large",
    `${what} from the base: too much to keep.`,
    "Remove what was generated or installed, or add it to .gitignore.",
  );
