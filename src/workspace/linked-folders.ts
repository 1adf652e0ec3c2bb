import { rm } from "node:fs/promises";
import type { EngineGit } from "./engine-git.ts";
import { find } from "./find.ts";
import type { ThreadPlace } from "./layout.ts";

const LINKS = ["-path", "./.git", "-prune", "-o", "-type", "l", "-print0"];

/** A link in a folder's place, and the index's paths below it; names byte for byte (latin1). */
type LinkedFolder = { link: string; paths: string[] };

/**
 * Links that stand where the index has a folder. Git looks through them, and takes files that were only moved for those
 * that it knows.
 */
export const linkedFolders = async (place: ThreadPlace, git: EngineGit): Promise<LinkedFolder[]> => {
  const links = new Set((await find(place.tree, LINKS)).map((path) => path.toString("latin1")));
  if (links.size === 0) return [];
  const staged = await git.bytes({ args: ["ls-files", "-z"], gitDir: place.git });
  const found = new Map<string, string[]>();
  for (const path of staged.toString("latin1").split("\0"))
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      const link = path.slice(0, slash);
      if (!links.has(link)) continue;
      const paths = found.get(link);
      if (paths === undefined) found.set(link, [path]);
      else paths.push(path);
      break;
    }
  return [...found].map(([link, paths]) => ({ link, paths }));
};

/** Removes them, so that git writes the folders anew. */
export const removeLinkedFolders = async (place: ThreadPlace, git: EngineGit): Promise<void> => {
  for (const { link } of await linkedFolders(place, git))
    await rm(Buffer.from(`${Buffer.from(place.tree).toString("latin1")}/${link}`, "latin1"));
};
