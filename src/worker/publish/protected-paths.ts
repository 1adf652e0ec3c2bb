import { inputError } from "../../base/errors.ts";
import { ownTurn } from "../../base/turns.ts";
import { OWN_WORKFLOWS, protectedByDefault } from "../../config/protected-paths.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import type { RepositorySettings } from "../../store/payload.ts";
import { spelledGlob } from "../../tools/search/glob.ts";
import type { PublishedTree } from "../../workspace/published-tree.ts";
import { type AdmittedFile, isAlone } from "./admitted-file.ts";
import { aliasesOf, follower, namesThrough, targetsByPath } from "./link-aliases.ts";
import { spellings } from "./spellings.ts";

const SHOWN = 10;
/** Whose spellings are kept: folders are named again and again. */
const MOST_NAMES = 10_000;

/**
 * Throws `protected-path` (fix-input) when a tree differs from what the repository has in a path that no change may touch,
 * by whatever name: through a link, in another case, as a short name; and when its rules treat such a path differently. `admitted`: the
 * file that may be there as the only change; where the repository's own configuration protects it, it may not.
 */
export const requireUnprotected = async (
  tree: PublishedTree,
  { protectedPaths }: Pick<RepositorySettings, "protectedPaths">,
  admitted: Pick<AdmittedFile, "path" | "text"> | null = null,
): Promise<void> => {
  const globs = [...protectedByDefault, ...protectedPaths];
  const isAdmitted = admitted !== null && (await isAlone(admitted, tree)) && mayAdmit(admitted.path, globs);
  const matcher = protectedMatcher(globs, isAdmitted ? admitted.path : null);
  const ruled = (await tree.ruledOtherwise(matcher.isProtected)).map((path) => `${path} (its attributes)`);
  const touched = [...(await touchedIn(tree, matcher)), ...ruled];
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

/** Other globs than the one that keeps all workflows from being changed are somebody's word about this one. */
const mayAdmit = (path: string, globs: readonly string[]): boolean =>
  !protectedMatcher(globs.filter((glob) => glob !== OWN_WORKFLOWS)).matters(path);

/** `except`: a path that is not protected by this very name. */
const protectedMatcher = (globs: readonly string[], except: string | null = null): Matcher => {
  const spelled = globs.map((glob) => spelledGlob(glob.normalize("NFKC").toLowerCase()));
  const literals = [...new Set(spelled.flatMap((each) => each.literals))];
  const known = new Map<string, readonly string[]>();
  const spelledName = (name: string): readonly string[] => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = spellings(name, literals);
    if (known.size < MOST_NAMES) known.set(name, made);
    return made;
  };
  // Some systems take a backslash for a slash.
  const pathOf = (path: string) => path.split(/[/\\]/).map(spelledName);
  const isProtected = (path: string): boolean => {
    const names = pathOf(path);
    return path !== except && spelled.some((glob) => glob.fits(names));
  };
  return {
    isProtected,
    matters: (path) =>
      isProtected(path) || (path !== except && spelled.some((glob) => glob.leadsThrough(pathOf(path)))),
  };
};

/** The changed paths that touch a protected one; where that is by another name, with it. */
const touchedIn = async (tree: PublishedTree, { isProtected, matters }: Matcher): Promise<string[]> => {
  const aliases = [tree.before, tree.after].flatMap(({ links }) => aliasesOf(links, matters));
  const otherNames = namesThrough(aliases);
  const isOnTheWay = new Set(aliases.flatMap(({ through }) => through));
  const targets = targetsByPath(tree.after.links);
  const follow = follower(targets);
  const hasSubmodule = [tree.before, tree.after].some(({ submodules }) => submodules.some(matters));
  const nameOf = (path: string): string | null => {
    if (matters(path) || isOnTheWay.has(path) || (hasSubmodule && isModules(path))) return path;
    const target = targets.has(path) ? follow(path)?.at : undefined;
    if (target !== undefined && isProtected(target)) return `${path} (${target})`;
    const other = otherNames(path).find(matters);
    return other === undefined ? null : `${path} (${other})`;
  };
  const turn = ownTurn();
  const touched: string[] = [];
  for (const { path } of tree.changes) {
    if (turn.isOver()) await turn.next();
    const name = nameOf(path);
    if (name !== null) touched.push(name);
  }
  return touched;
};

/** What says where submodules come from. */
const isModules = (path: string): boolean => /^\.gitmodules$/i.test(path);
