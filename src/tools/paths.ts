import { posix } from "node:path";
import { inputError, isAbort } from "../base/errors.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { nearestNames } from "./nearest-names.ts";

/**
 * One spelling per file: relative to the root and normalized (`.` for the root itself). An absolute path outside
 * the root stays absolute, for the workspace to judge. Throws `path-outside` for a relative path that climbs out.
 */
export const workspacePath = (workspace: Workspace, path: string): string => {
  if (path.includes("\0")) throw inputError("path-invalid", "The path contains a NUL character.");
  const root = posix.normalize(workspace.root).replace(/(?<=.)\/$/, "");
  const whole = posix
    .normalize(posix.isAbsolute(path) ? path : posix.join(root, path))
    .replace(/(?<=.)\/$/, "");
  if (whole === root) return ".";
  if (whole.startsWith(`${root === "/" ? "" : root}/`))
    return whole.slice(root === "/" ? 1 : root.length + 1);
  if (posix.isAbsolute(path)) return whole;
  throw inputError(
    "path-outside",
    `${path} is outside the workspace.`,
    "Give a path relative to the workspace's root.",
  );
};

/** Says that nothing is at `path`, with up to three similar names from where it was looked for. */
export const missingPath = async (workspace: Workspace, path: string): Promise<string> => {
  const { folder, missing } = await existingFolder(workspace, path);
  const names = await namesIn(workspace, folder);
  const near = nearestNames(missing, names, { count: 3, within: 0.6 }).map((name) =>
    folder === "." ? name : `${folder}/${name}`,
  );
  const elsewhere = near.length < 3 ? await sameName(workspace, posix.basename(path), 3 - near.length) : [];
  const similar = [...new Set([...near, ...elsewhere])];
  const first = `${path} does not exist.`;
  if (similar.length > 0) return `${first} Similar names: ${similar.join(", ")}`;
  return folder === posix.dirname(path)
    ? `${first} Nothing in ${folder === "." ? "the workspace's root" : folder} has a similar name; list_files shows what is there.`
    : `${first} There is no ${missing} in ${folder === "." ? "the workspace's root" : folder}.`;
};

const existingFolder = async (
  workspace: Workspace,
  path: string,
): Promise<{ folder: string; missing: string }> => {
  let missing = path;
  for (let folder = posix.dirname(path); ; missing = folder, folder = posix.dirname(folder)) {
    if (folder === "." || folder === "/") return { folder, missing: posix.basename(missing) };
    const entry = await workspace.files.stat(folder).catch(ignoreUnreadable);
    if (entry?.kind === "directory") return { folder, missing: posix.basename(missing) };
  }
};

/** A suggestion is a courtesy: what cannot be listed suggests nothing. */
const ignoreUnreadable = (error: unknown): undefined => {
  if (isAbort(error)) throw error;
  return undefined;
};

const namesIn = async (workspace: Workspace, folder: string): Promise<string[]> =>
  ((await workspace.files.list(folder).catch(ignoreUnreadable)) ?? []).map((entry) => entry.name);

const SKIPPED = new Set([".git", "node_modules"]);
const MAX_FOLDERS = 200;

/** Files of exactly this name anywhere, nearest to the root first. */
const sameName = async (workspace: Workspace, name: string, count: number): Promise<string[]> => {
  const found: string[] = [];
  const folders = ["."];
  for (let i = 0; i < folders.length && i < MAX_FOLDERS && found.length < count; i++) {
    const folder = folders[i] ?? ".";
    for (const entry of (await workspace.files.list(folder).catch(ignoreUnreadable)) ?? []) {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.kind === "directory" && !SKIPPED.has(entry.name)) folders.push(path);
      if (entry.kind === "file" && entry.name === name && found.length < count) found.push(path);
    }
  }
  return found;
};
