import { editDistance } from "./edit-distance.ts";

/** The name that was probably meant: at most a third of its letters away; undefined when none is close. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let least = Math.floor(Math.max(name.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least || candidate.length > 100) continue;
    const away = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
};

/** `; did you mean "x"?`, or nothing. `shown`: the name as it is written where this stands. */
export const didYouMean = (
  name: string,
  candidates: Iterable<string>,
  shown = (found: string): string => `"${found}"`,
): string => {
  const found = nearest(name, candidates);
  return found === undefined ? "" : `; did you mean ${shown(found)}?`;
};
