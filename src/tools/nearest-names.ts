import { editDistance } from "../base/edit-distance.ts";

/** Lower is nearer; a name that contains the other (`config` and `config.yaml`) beats one of equal distance. */
const score = (wanted: string, name: string): number => {
  const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
  const contained = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a));
  const relative = editDistance(a, b) / Math.max(a.length, b.length, 1);
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
