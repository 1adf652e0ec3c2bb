import { rm } from "node:fs/promises";
import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";

/** A link in a folder's place, and the index's paths below it; names byte for byte (latin1). */
type LinkedFolder = { link: string; paths: string[] };

type Options = { git: EngineGit; links: readonly Buffer[] };

/**
 * Those of a tree's links that stand where the index has a folder. Git looks through them, and takes files that were only moved for those
 * that it knows.
 */
export const linkedFolders = async (place: ThreadPlace, { git, links }: Options): Promise<LinkedFolder[]> => {
  if (links.length === 0) return [];
  const names = new Set(links.map((path) => path.toString("latin1")));
  const staged = await git.bytes({ args: ["ls-files", "-z"], gitDir: place.git });
  const found = new Map<string, string[]>();
  for (const path of staged.toString("latin1").split("\0"))
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      const link = path.slice(0, slash);
      if (!names.has(link)) continue;
      const paths = found.get(link);
      if (paths === undefined) found.set(link, [path]);
      else paths.push(path);
      break;
    }
  return [...found].map(([link, paths]) => ({ link, paths }));
};

/** Removes them, so that git writes the folders anew. */
export const removeLinkedFolders = async (place: ThreadPlace, options: Options): Promise<void> => {
  for (const { link } of await linkedFolders(place, options))
    await rm(Buffer.from(`${Buffer.from(place.tree).toString("latin1")}/${link}`, "latin1"));
};
