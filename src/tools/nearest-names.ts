/** Edit distance between two names; two neighbours swapped are one edit (optimal string alignment). */
const distance = (a: string, b: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : kept;
      next.push(Math.min(kept, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
};

/** Lower is nearer; a name that contains the other (`config` and `config.yaml`) beats one of equal distance. */
const score = (wanted: string, name: string): number => {
  const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
  const contained = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a));
  const relative = distance(a, b) / Math.max(a.length, b.length, 1);
  return contained ? Math.min(relative, 0.3) + relative / 100 : relative;
};

/** The `count` candidates most like `wanted`, nearest first; names longer than 255 characters are left out. */
export const nearestNames = (
  wanted: string,
  candidates: readonly string[],
  options: { count: number; within?: number },
): string[] =>
  candidates
    .filter((name) => name.length <= 255)
    .map((name) => ({ name, score: score(wanted.slice(0, 255), name) }))
    .filter((one) => one.score <= (options.within ?? 1))
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, options.count)
    .map((one) => one.name);
