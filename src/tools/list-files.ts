import { z } from "zod";
import { isAbort } from "../base/errors.ts";
import type { FileEntry, Workspace } from "../workspace/workspace.ts";
import { missingPath, workspacePath } from "./paths.ts";
import { defineTool } from "./tool.ts";

const MAX_ENTRIES = 200;
/** However full a level is, each of its folders shows this many entries. */
const MIN_SHARE = 3;

export const listFiles = defineTool({
  name: "list_files",
  description:
    "List what is in a folder, folders first, two levels deep unless told otherwise. At most 200 entries; what is " +
    "left out is counted.",
  effect: "read",
  input: z.object({
    path: z
      .string()
      .min(1)
      .optional()
      .describe("The folder, relative to the workspace's root. Default: the root."),
    depth: z.int().min(1).max(10).optional().describe("How many levels. Default 2."),
  }),
  run: async ({ path: asked, depth }, { workspace }) => {
    const path = workspacePath(workspace, asked ?? ".");
    const entry = await workspace.files.stat(path);
    if (entry === undefined && path !== ".") return { ok: false, text: await missingPath(workspace, path) };
    if (entry !== undefined && entry.kind !== "directory" && entry.kind !== "symlink")
      return { ok: false, text: `${path} is a file, not a folder; read_file shows it.` };
    return listing(workspace, path, { depth: depth ?? 2 });
  },
});

type Folder = { path: string; entries: Entry[]; hidden: number; unreadable?: true };
type Entry = FileEntry & { folder?: Folder };

/** The tree below `path`, indented; level by level, so that nothing near the top is lost to something deep. */
export const listing = async (
  workspace: Workspace,
  path: string,
  { depth }: { depth: number },
): Promise<string> => {
  const top: Folder = { path, entries: await entriesOf(workspace, path), hidden: 0 };
  if (top.entries.length === 0) return `${path === "." ? "The workspace" : path} is empty.`;
  let level = [top];
  let left = MAX_ENTRIES;
  for (let deep = 1; level.length > 0; deep++) {
    const share = Math.max(MIN_SHARE, Math.floor(left / level.length));
    for (const folder of level) {
      const shown = Math.min(folder.entries.length, share, Math.max(left, 0));
      folder.hidden = folder.entries.length - shown;
      folder.entries = folder.entries.slice(0, shown);
      left -= shown;
    }
    level = deep < depth && left > 0 ? await opened(workspace, level) : [];
  }
  return render(top, "").join("\n");
};

/** The folders among the entries of `level`, with their entries. */
const opened = async (workspace: Workspace, level: readonly Folder[]): Promise<Folder[]> => {
  const next: Folder[] = [];
  for (const { path, entries } of level)
    for (const entry of entries.filter((one) => one.kind === "directory")) {
      const inner = path === "." ? entry.name : `${path}/${entry.name}`;
      entry.folder = await openFolder(workspace, inner);
      next.push(entry.folder);
    }
  return next;
};

/** A folder that is gone or closed to us is shown as such; the rest of the listing is still worth having. */
const openFolder = async (workspace: Workspace, path: string): Promise<Folder> => {
  try {
    return { path, entries: await entriesOf(workspace, path), hidden: 0 };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { path, entries: [], hidden: 0, unreadable: true };
  }
};

const entriesOf = async (workspace: Workspace, path: string): Promise<Entry[]> =>
  (await workspace.files.list(path)).filter((entry) => entry.name !== ".git").sort(foldersFirst);

const foldersFirst = (a: FileEntry, b: FileEntry): number =>
  Number(b.kind === "directory") - Number(a.kind === "directory") ||
  (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

const render = (folder: Folder, indent: string): string[] => [
  ...folder.entries.flatMap((entry) => [
    `${indent}${entry.name}${mark(entry)}`,
    ...(entry.folder === undefined ? [] : render(entry.folder, `${indent}  `)),
  ]),
  ...(folder.hidden > 0 ? [`${indent}… ${folder.hidden} more`] : []),
];

const mark = (entry: Entry): string => {
  if (entry.kind === "directory") return entry.folder?.unreadable ? "/ (cannot be read)" : "/";
  if (entry.kind === "symlink") return " (link)";
  return entry.kind === "other" ? " (special)" : "";
};
