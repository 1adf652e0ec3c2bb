import { inputError } from "../../base/errors.ts";
import { protectedByDefault } from "../../config/protected-paths.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import type { Payload, RepositorySettings } from "../../store/payload.ts";
import { globMatcher } from "../../tools/search/glob.ts";

const SHOWN = 10;

/**
 * Throws `protected-path` (fix-input) when the work differs from its base in a path that no change may touch. A renamed file
 * is one that is gone and one that is new, so both of its names count.
 */
export const requireUnprotected = (
  { files }: Pick<Payload<"workspace">, "files">,
  { protectedPaths }: Pick<RepositorySettings, "protectedPaths">,
): void => {
  const isProtected = protectedMatcher([...protectedByDefault, ...protectedPaths]);
  const touched = files.map(({ path }) => path).filter(isProtected);
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

/** Whatever the case: some file systems tell no difference. What takes a protected path's folder's place counts, too. */
const protectedMatcher = (globs: readonly string[]): ((path: string) => boolean) => {
  const folded = globs.map((glob) => glob.toLowerCase());
  const matchers = folded.map(globMatcher);
  return (path) => {
    const lower = path.toLowerCase();
    return matchers.some((fits) => fits(lower)) || folded.some((glob) => glob.startsWith(`${lower}/`));
  };
};
