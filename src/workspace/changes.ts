import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { TextDecoder } from "node:util";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";

export type Changes = {
  /** New, or different from the base in content or kind; relative to the root, each once, sorted. */
  changed: string[];
  removed: string[];
  /** Names that are not UTF-8, and so cannot be kept. */
  unnameable: string[];
};

/**
 * Renews the index's cached times. Written even when nothing changed: files as young as the index itself are read
 * each time until a younger index says that they were looked at.
 */
export const REFRESH = ["update-index", "-q", "--refresh", "--force-write-index"];

/** Compares the work tree with the engine's index, by its cached times first. Ignored files are not looked at. */
export const findChanges = async (place: ThreadPlace, git: EngineGit): Promise<Changes> => {
  const at = { gitDir: place.git, workTree: place.tree, cwd: place.tree };
  await git.run({ args: REFRESH, ...at });
  const args = ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"];
  const listed = records(await git.bytes({ args, ...at }));
  const removed = new Set(pathsOf(listed, "R"));
  const others = pathsOf(listed, "?");
  const nested = others.filter((path) => path.endsWith("/"));
  const inside = (await Promise.all(nested.map((path) => filesBelow(place.tree, path.slice(0, -1))))).flat();
  const changed = new Set([
    ...pathsOf(listed, "C").filter((path) => !removed.has(path)),
    ...others.filter((path) => !path.endsWith("/")),
    ...(await withoutIgnored(inside, { git, at })),
  ]);
  const unnameable = listed.filter(({ path }) => path === null).map(({ raw }) => raw);
  return { changed: [...changed].sort(), removed: [...removed].sort(), unnameable };
};

type Listed = { tag: string; path: string | null; raw: string };

const records = (output: Buffer): Listed[] => {
  const found: Listed[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const bytes = output.subarray(start + 2, end);
    found.push({
      tag: String.fromCharCode(output[start] ?? 0),
      path: decoded(bytes, decoder),
      raw: bytes.toString("latin1"),
    });
    start = end + 1;
  }
  return found;
};

const decoded = (bytes: Buffer, decoder: TextDecoder): string | null => {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
};

const pathsOf = (listed: readonly Listed[], tag: string): string[] =>
  listed.flatMap((each) => (each.tag === tag && each.path !== null ? [each.path] : []));

/** A repository inside the tree is one name to git; its files are files like others. */
const filesBelow = async (tree: string, directory: string): Promise<string[]> => {
  const entries = await readdir(join(tree, directory), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter((entry) => entry.name.toLowerCase() !== ".git")
      .map((entry) => {
        const path = `${directory}/${entry.name}`;
        return entry.isDirectory() ? filesBelow(tree, path) : [path];
      }),
  );
  return found.flat();
};

const withoutIgnored = async (
  paths: readonly string[],
  { git, at }: { git: EngineGit; at: { gitDir: string; workTree: string; cwd: string } },
): Promise<string[]> => {
  if (paths.length === 0) return [];
  const stdin = paths.map((path) => `${path}\0`).join("");
  const { stdout } = await git.run({ args: ["check-ignore", "-z", "--stdin", "--no-index"], ...at, stdin });
  const ignored = new Set(stdout.toString("utf8").split("\0"));
  return paths.filter((path) => !ignored.has(path));
};
