import { inputError } from "../../base/errors.ts";
import { protectedByDefault } from "../../config/protected-paths.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import type { RepositorySettings } from "../../store/payload.ts";
import { spelledGlob } from "../../tools/search/glob.ts";
import type { PublishedTree } from "../../workspace/published-tree.ts";
import { aliasesOf, follow, renamed, targetsByPath } from "./link-aliases.ts";
import { spellings } from "./spellings.ts";

const SHOWN = 10;

/**
 * Throws `protected-path` (fix-input) when a tree differs from what the repository has in a path that no change may touch,
 * by whatever name: through a link, in another case, as a short name; and when its rules treat such a path differently.
 */
export const requireUnprotected = async (
  tree: PublishedTree,
  { protectedPaths }: Pick<RepositorySettings, "protectedPaths">,
): Promise<void> => {
  const matcher = protectedMatcher([...protectedByDefault, ...protectedPaths]);
  const ruled = (await tree.ruledOtherwise(matcher.isProtected)).map((path) => `${path} (its attributes)`);
  const touched = [...touchedIn(tree, matcher), ...ruled];
  if (touched.length === 0) return;
  const more = touched.length > SHOWN ? ` and ${touched.length - SHOWN} more` : "";
  throw inputError(
    "protected-path",
    `The work changes ${touched
      .slice(0, SHOWN)
      .map((path) => inlineCode(path))
      .join(", ")}${more}, which no change of mine may touch here, so nothing was pushed.`,
    "`/fork <step> [note]` goes on from an earlier step: the note can say how to do without. What has to change there is for a person to do.",
  );
};

type Matcher = {
  isProtected(path: string): boolean;
  /** Also for a path at which a protected one's folder would be. */
  matters(path: string): boolean;
};

const protectedMatcher = (globs: readonly string[]): Matcher => {
  const spelled = globs.map((glob) => spelledGlob(glob.normalize("NFKC").toLowerCase()));
  const literals = [...new Set(spelled.flatMap((each) => each.literals))];
  // Some systems take a backslash for a slash.
  const pathOf = (path: string) => path.split(/[/\\]/).map((name) => spellings(name, literals));
  const isProtected = (path: string): boolean => {
    const names = pathOf(path);
    return spelled.some((glob) => glob.fits(names));
  };
  return {
    isProtected,
    matters: (path) => isProtected(path) || spelled.some((glob) => glob.leadsThrough(pathOf(path))),
  };
};

/** The changed paths that touch a protected one; where that is by another name, with it. */
const touchedIn = (tree: PublishedTree, { isProtected, matters }: Matcher): string[] => {
  const aliases = [tree.before, tree.after].flatMap(({ links }) => aliasesOf(links, matters));
  const isOnTheWay = new Set(aliases.flatMap(({ through }) => through));
  const targets = targetsByPath(tree.after.links);
  const hasSubmodule = [tree.before, tree.after].some(({ submodules }) => submodules.some(matters));
  return tree.changes.flatMap(({ path }) => {
    if (matters(path) || isOnTheWay.has(path)) return [path];
    if (hasSubmodule && isModules(path)) return [path];
    const target = targets.has(path) ? follow(path, targets)?.at : undefined;
    if (target !== undefined && isProtected(target)) return [`${path} (${target})`];
    const other = aliases.map((alias) => renamed(path, alias)).find((name) => name !== null && matters(name));
    return other == null ? [] : [`${path} (${other})`];
  });
};

/** What says where submodules come from. */
const isModules = (path: string): boolean => /^\.gitmodules$/i.test(path);
