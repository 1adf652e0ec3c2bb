import { posix } from "node:path";
import { inputError } from "../../base/errors.ts";
import type { TreeLink } from "../../workspace/published-tree.ts";

const MAX_HOPS = 40;
/** No forge and no system reads longer ones. */
const LONGEST = 4096;
const MAX_ALIASES = 5_000;

/** A place that is reached by another name, through links. */
export type Alias = {
  /** The name that matters. */
  as: string;
  /** Where it really is, relative to the root, which is empty. */
  at: string;
  /** The links on the way. */
  through: string[];
};

/**
 * The links that matter by their own name or by one that they have through another that matters, and where each leads.
 * Links that lead out of the tree, or round in circles, lead nowhere. Throws `protected-path` (fix-input) for more than
 * anybody has.
 */
export const aliasesOf = (links: readonly TreeLink[], matters: (path: string) => boolean): Alias[] => {
  const byPath = targetsByPath(links);
  const sorted = [...byPath.keys()].sort();
  const found = new Map<string, Alias>();
  const add = (link: string, as: string, before: readonly string[]): void => {
    // Round in a circle there is nothing new.
    const way = before.includes(link) ? null : follow(link, byPath);
    if (way === null) return;
    found.set(`${as}\0${link}`, { as, at: way.at, through: [...before, ...way.through] });
    if (found.size > MAX_ALIASES) throw tooMany();
  };
  for (const path of sorted) if (matters(path)) add(path, path, []);
  for (const { as, at, through } of found.values())
    for (const path of below(at, sorted)) {
      const other = renamed(path, { as, at });
      if (other !== null && other !== path && other.length <= LONGEST && matters(other))
        add(path, other, through);
    }
  return [...found.values()];
};

const below = (folder: string, sorted: readonly string[]): readonly string[] => {
  if (folder === "") return sorted;
  // "0" is the character that follows the slash.
  return sorted.slice(firstFrom(`${folder}/`, sorted), firstFrom(`${folder}0`, sorted));
};

/** Where the first text that is not before `text` stands. */
const firstFrom = (text: string, sorted: readonly string[]): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A path below the alias's place by the alias's name; null for one elsewhere. */
export const renamed = (path: string, { as, at }: Pick<Alias, "as" | "at">): string | null => {
  if (path === at) return as;
  if (at === "") return `${as}/${path}`;
  return path.startsWith(`${at}/`) ? `${as}${path.slice(at.length)}` : null;
};

export const targetsByPath = (links: readonly TreeLink[]): Map<string, string> =>
  new Map(links.map(({ path, target }) => [path, target]));

const tooMany = () =>
  inputError(
    "protected-path",
    `More than ${MAX_ALIASES} links lead into or out of paths that no change of mine may touch, so nothing was pushed.`,
  );

/** Where a link really leads, however many others are on the way; null for out of the tree, or nowhere. */
export const follow = (link: string, links: ReadonlyMap<string, string>): Omit<Alias, "as"> | null => {
  const through: string[] = [];
  let [done, rest] = ["", link.split("/")];
  while (rest.length > 0) {
    const [name = "", ...others] = rest;
    if (name === "..") {
      if (done === "") return null;
      done = posix.dirname(done).replace(/^\.$/, "");
      rest = others;
      continue;
    }
    const here = done === "" ? name : `${done}/${name}`;
    const target = links.get(here);
    if (target === undefined) [done, rest] = [here, others];
    else {
      if (target.startsWith("/") || through.length === MAX_HOPS) return null;
      through.push(here);
      rest = [...target.split("/").filter((part) => part !== "" && part !== "."), ...others];
    }
  }
  return { at: done, through };
};
