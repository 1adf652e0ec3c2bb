import { posix } from "node:path";
import { inputError } from "../../base/errors.ts";
import type { TreeLink } from "../../workspace/published-tree.ts";

const MAX_HOPS = 40;
/** No forge and no system reads longer ones. */
const LONGEST = 4096;
const MAX_ALIASES = 5_000;
/** Of a name with an alias: each takes some microseconds, in which this process does nothing else. */
const MAX_LOOKS = 25_000;
/** From name to name, on the ways of all links together. */
const MAX_STEPS = 500_000;

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
  const follow = follower(byPath);
  const sorted = [...byPath.keys()].sort();
  const found = new Map<string, Alias>();
  const look = counter(MAX_LOOKS);
  const add = (link: string, as: string, before: readonly string[]): void => {
    // Round in a circle there is nothing new.
    const way = before.includes(link) ? null : follow(link);
    if (way === null) return;
    found.set(`${as}\0${link}`, { as, at: way.at, through: [...before, ...way.through] });
    if (found.size > MAX_ALIASES) throw tooMany();
  };
  for (const path of sorted) if (matters(path)) add(path, path, []);
  for (const { as, at, through } of found.values())
    for (const path of below(at, sorted)) {
      look();
      const other = renamed(path, { as, at });
      if (other !== path && other.length <= LONGEST && matters(other)) add(path, other, through);
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

/** The names that a path has through aliases. Throws as `aliasesOf`, over all the paths that it is asked for. */
export const namesThrough = (aliases: readonly Alias[]): ((path: string) => Generator<string>) => {
  const different = new Map(aliases.map((alias) => [`${alias.as}\0${alias.at}`, alias]));
  const byPlace = Map.groupBy(different.values(), ({ at }) => at);
  const look = counter(MAX_LOOKS);
  return function* (path) {
    for (let at = path; ; at = at.includes("/") ? posix.dirname(at) : "") {
      for (const alias of byPlace.get(at) ?? []) {
        look();
        yield renamed(path, alias);
      }
      if (at === "") return;
    }
  };
};

/** The alias's place, or a path below it, by the alias's name. */
const renamed = (path: string, { as, at }: Pick<Alias, "as" | "at">): string => {
  if (path === at) return as;
  return at === "" ? `${as}/${path}` : `${as}${path.slice(at.length)}`;
};

export const targetsByPath = (links: readonly TreeLink[]): Map<string, string> =>
  new Map(links.map(({ path, target }) => [path, target]));

/** Fails when it is called more often. */
const counter = (most: number): (() => void) => {
  let calls = 0;
  return () => {
    if (++calls > most) throw tooMany();
  };
};

const tooMany = () =>
  inputError(
    "protected-path",
    "More links than can be looked at lead into or out of paths that no change of mine may touch, so nothing was pushed.",
  );

/** Where links really lead, however many others are on the way; null for out of the tree, or nowhere. Throws as `aliasesOf`. */
export const follower = (
  links: ReadonlyMap<string, string>,
): ((link: string) => Omit<Alias, "as"> | null) => {
  const step = counter(MAX_STEPS);
  return (link) => {
    const through: string[] = [];
    const rest = link.split("/").reverse();
    let done = "";
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      step();
      if (name === "..") {
        if (done === "") return null;
        done = posix.dirname(done).replace(/^\.$/, "");
        continue;
      }
      const here = done === "" ? name : `${done}/${name}`;
      if (here.length > LONGEST) return null;
      const target = links.get(here);
      if (target === undefined) {
        done = here;
        continue;
      }
      if (target.startsWith("/") || through.length === MAX_HOPS) return null;
      through.push(here);
      for (const part of target.split("/").reverse()) if (part !== "" && part !== ".") rest.push(part);
    }
    return { at: done, through };
  };
};
