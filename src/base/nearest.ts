/** The name that was probably meant: at most a third of its letters away; undefined when none is close. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let least = Math.floor(Math.max(name.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least || candidate.length > 100) continue;
    const away = distance(name.toLowerCase(), candidate.toLowerCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
};

/** `; did you mean "x"?`, or nothing. */
export const didYouMean = (name: string, candidates: Iterable<string>): string => {
  const found = nearest(name, candidates);
  return found === undefined ? "" : `; did you mean "${found}"?`;
};

/** Levenshtein's. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};
