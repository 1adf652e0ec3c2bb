const MAX_ALTERNATIVES = 64;

/**
 * Whether a path (relative, `/` between names) fits a glob as search programs read it: without a slash it is about
 * the name at any depth, with one it is about the whole path; `*`, `?`, `[…]` within a name, `**` across folders,
 * `{a,b}`, a folder's name for all below it, `!` in front for all but these. Names that begin with a dot are like
 * others. Polynomial time, whatever the glob.
 */
export const globMatcher = (glob: string): ((path: string) => boolean) => {
  const { fits } = spelledGlob(glob);
  return (path) => fits(path.split("/").map((name) => [name]));
};

/** A path whose names can each be spelled in several ways. */
export type SpelledPath = readonly (readonly string[])[];

export type SpelledGlob = {
  /** Whether the path fits the glob in some spelling, as `globMatcher` says. */
  fits(path: SpelledPath): boolean;
  /** Whether a folder of that name stands before everything that fits: in `a/b/*.txt`, `a` and `a/b`. */
  leadsThrough(path: SpelledPath): boolean;
  /** The names in it that hold no wildcard. */
  literals: string[];
};

export const spelledGlob = (glob: string): SpelledGlob => {
  const negated = glob.startsWith("!");
  const patterns = alternatives(negated ? glob.slice(1) : glob).map((each) => segmentsOf(each).map(segment));
  return {
    fits: (path) => patterns.some((pattern) => fits(pattern, path)) !== negated,
    leadsThrough: (path) =>
      !negated &&
      patterns.some(
        (pattern) =>
          path.length < pattern.length &&
          path.every((names, at) => {
            const { literal = null } = pattern[at] ?? {};
            return literal !== null && names.includes(literal);
          }),
      ),
    literals: patterns.flat().flatMap(({ literal }) => (literal === null ? [] : [literal])),
  };
};

const segmentsOf = (glob: string): string[] => {
  const anchored = glob.replace(/^\.?\//, "").replace(/\/$/, "");
  const segments = anchored.split("/");
  return segments.length === 1 && !glob.startsWith("/") ? ["**", ...segments] : segments;
};

/** One name of a glob. */
type Segment = {
  /** It stands for any number of folders. */
  isDeep: boolean;
  /** The name that it is, when it holds no wildcard. */
  literal: string | null;
  fits(name: string): boolean;
};

const segment = (text: string): Segment => {
  if (!/[*?[\\]/.test(text)) return { isDeep: false, literal: text, fits: (name) => name === text };
  const parts = text.match(/\[[!^]?\]?[^\]]{0,100}\]|\\[\s\S]|[\s\S]/gu) ?? [];
  return { isDeep: text === "**", literal: null, fits: (name) => nameFits(parts, name) };
};

/** Also when the pattern fits a folder above: `src` means all below `src`. */
const fits = (pattern: readonly Segment[], path: SpelledPath): boolean => {
  let reached = new Set([0]);
  for (const names of path) {
    const next = new Set<number>();
    for (const at of throughStars(reached, pattern)) {
      const part = pattern[at];
      if (part === undefined) return true;
      if (part.isDeep) next.add(at);
      else if (names.some(part.fits)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return throughStars(reached, pattern).has(pattern.length);
};

/** A `**` may stand for no folder at all. */
const throughStars = (reached: ReadonlySet<number>, pattern: readonly Segment[]): Set<number> => {
  const all = new Set(reached);
  for (const at of all) if (pattern[at]?.isDeep) all.add(at + 1);
  return all;
};

/** One name against the parts of one segment; on a mismatch only the last star is tried again, so the time is quadratic at most. */
const nameFits = (parts: readonly string[], name: string): boolean => {
  const chars = [...name];
  let [i, j, star, from] = [0, 0, -1, 0];
  while (j < chars.length) {
    const part = parts[i];
    if (part === "*") {
      [star, from] = [i++, j];
    } else if (part !== undefined && charFits(part, chars[j] ?? "")) {
      i++;
      j++;
    } else if (star >= 0) {
      i = star + 1;
      j = ++from;
    } else return false;
  }
  while (parts[i] === "*") i++;
  return i === parts.length;
};

const charFits = (part: string, char: string): boolean => {
  if (part === "?") return true;
  if (part.startsWith("\\") && part.length > 1) return part.slice(1) === char;
  if (part.length < 3) return part === char;
  const negated = /^\[[!^]/.test(part);
  const members = [...part.slice(negated ? 2 : 1, -1)];
  let found = false;
  for (let i = 0; i < members.length; i++) {
    const [low = "", dash, high] = members.slice(i, i + 3);
    if (dash === "-" && high !== undefined) {
      found ||= low <= char && char <= high;
      i += 2;
    } else found ||= low === char;
  }
  return found !== negated;
};

/** The globs that `{a,b}` stands for; past 64 the braces stay as they are. */
const alternatives = (glob: string): string[] => {
  const open = glob.indexOf("{");
  const close = open < 0 ? -1 : closing(glob, open);
  if (close < 0) return [glob];
  const [before, after] = [glob.slice(0, open), glob.slice(close + 1)];
  const rests = alternatives(after);
  const options = splitTop(glob.slice(open + 1, close)).flatMap(alternatives);
  if (options.length * rests.length > MAX_ALTERNATIVES) return [glob];
  return options.flatMap((option) => rests.map((rest) => before + option + rest));
};

const closing = (glob: string, open: number): number => {
  let depth = 0;
  for (let i = open; i < glob.length; i++) {
    if (glob[i] === "{") depth++;
    if (glob[i] === "}" && --depth === 0) return i;
  }
  return -1;
};

const splitTop = (text: string): string[] => {
  const parts = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
};
