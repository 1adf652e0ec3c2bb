import { foldCharacters } from "./view.ts";

const MAX_LINES = 20_000;
const MAX_COMPARED_CHARS = 200;
const LEAST_SIMILARITY = 0.5;

/**
 * The line (from 0) where `wanted` would begin at the place that it resembles most, or null when nothing does. First
 * by equal lines whatever their spaces, rare ones counting more; else by the likeness of single lines. It may only
 * advise.
 */
export const nearestStart = (lines: readonly string[], wanted: readonly string[]): number | null => {
  const start = byEqualLines(lines, wanted) ?? bySimilarLine(lines.slice(0, MAX_LINES), wanted);
  return start === null ? null : Math.max(0, Math.min(start, lines.length - 1));
};

const key = (line: string): string => foldCharacters(line).replace(/\s/g, "");

const byEqualLines = (lines: readonly string[], wanted: readonly string[]): number | null => {
  const places = new Map<string, number[]>();
  for (const line of wanted) if (/\w/.test(line)) places.set(key(line), []);
  for (const [i, line] of lines.entries()) places.get(key(line))?.push(i);
  const votes = new Map<number, number>();
  for (const [i, line] of wanted.entries()) {
    const at = places.get(key(line)) ?? [];
    for (const place of at.slice(0, 100)) votes.set(place - i, (votes.get(place - i) ?? 0) + 1 / at.length);
  }
  return best([...votes]);
};

const bySimilarLine = (lines: readonly string[], wanted: readonly string[]): number | null => {
  const longest = [...wanted.entries()]
    .filter(([, line]) => /\w/.test(line))
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, 3);
  const scores: [number, number][] = [];
  for (const [i, line] of longest) {
    const pairs = pairsOf(line);
    for (const [j, other] of lines.entries()) {
      const score = likeness(pairs, pairsOf(other));
      if (score >= LEAST_SIMILARITY) scores.push([j - i, score]);
    }
  }
  return best(scores);
};

const best = (scores: readonly (readonly [start: number, score: number])[]): number | null => {
  let found: readonly [number, number] | null = null;
  for (const one of scores)
    if (found === null || one[1] > found[1] || (one[1] === found[1] && one[0] < found[0])) found = one;
  return found?.[0] ?? null;
};

const pairsOf = (line: string): Set<string> => {
  const text = key(line.slice(0, MAX_COMPARED_CHARS));
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
};

/** Sørensen–Dice over pairs of characters: 0 to 1. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  if (a.size + b.size === 0 || Math.min(a.size, b.size) * 2 < LEAST_SIMILARITY * (a.size + b.size) - 1)
    return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
};
