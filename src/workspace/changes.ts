import { TextDecoder } from "node:util";
import { withDefused } from "./defuse.ts";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";
import { linkedFolders } from "./linked-folders.ts";
import { TEMPORARY_PREFIX } from "./names.ts";

export type Changes = {
  /** New, or different from the base in content or kind; relative to the root, each once, sorted. */
  changed: string[];
  removed: string[];
  /** Names that are not UTF-8, and so cannot be kept. */
  unnameable: string[];
};

type Options = {
  git: EngineGit;
  times: "renewed" | "as-cached";
};

/**
 * Renews the index's cached times. Written even when nothing changed: files as young as the index itself are read
 * each time until a younger index says that they were looked at.
 */
export const REFRESH = ["update-index", "-q", "--refresh", "--force-write-index"];

/**
 * Compares the work tree with the engine's index, by its cached times first. Ignored files are not looked at;
 * those of a repository inside the tree are files like others. Throws `file-too-large` (fix-input) for git's rules.
 */
export const findChanges = (place: ThreadPlace, options: Options): Promise<Changes> =>
  withDefused(place.tree, ({ links }) => compare(place, { ...options, links }));

const compare = async (
  place: ThreadPlace,
  { git, times, links }: Options & { links: readonly Buffer[] },
): Promise<Changes> => {
  const at = { gitDir: place.git, workTree: place.tree, cwd: place.tree };
  if (times === "renewed") await git.run({ args: REFRESH, ...at });
  const args = ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"];
  const listed = records(await git.bytes({ args, ...at }));
  const hidden = (await linkedFolders(place, { git, links })).flatMap(({ paths }) =>
    paths.map(hiddenBehindLink),
  );
  const removed = new Set(pathsOf([...listed, ...hidden], "R"));
  const others = pathsOf(listed, "?").filter((path) => !isTemporary(path));
  const changed = new Set([...pathsOf(listed, "C").filter((path) => !removed.has(path)), ...others]);
  const unnameable = [...listed, ...hidden].filter(({ path }) => path === null).map(({ raw }) => raw);
  return { changed: [...changed].sort(), removed: [...removed].sort(), unnameable };
};

type Listed = { tag: string; path: string | null; raw: string };

const records = (output: Buffer): Listed[] => {
  const found: Listed[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const bytes = output.subarray(start + 2, end);
    found.push({
      tag: String.fromCharCode(output[start] ?? 0),
      path: decoded(bytes),
      raw: bytes.toString("latin1"),
    });
    start = end + 1;
  }
  return found;
};

/** Git has looked through the link; there is no file of that name. */
const hiddenBehindLink = (raw: string): Listed => ({
  tag: "R",
  path: decoded(Buffer.from(raw, "latin1")),
  raw,
});

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const decoded = (bytes: Buffer): string | null => {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
};

const pathsOf = (listed: readonly Listed[], tag: string): string[] =>
  listed.flatMap((each) => (each.tag === tag && each.path !== null ? [each.path] : []));

/** Also where a rule of the tree says that it is not ignored. */
const isTemporary = (path: string): boolean =>
  path.split("/").some((name) => name.startsWith(TEMPORARY_PREFIX));
