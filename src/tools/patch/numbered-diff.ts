import { cutText, linesOf, numberedLine } from "../text-format.ts";
import { type Hunk, lineDiff } from "./line-diff.ts";

const MAX_LINES = 80;
const MAX_LINE_CHARS = 300;
const CONTEXT = 2;

/**
 * What changed, for a model: ` `, `-` or `+`, the line's number (of the old file for `-`, else of the new one), a tab,
 * the text. At most 80 lines; what is left out is counted. Both texts in LF.
 */
export const numberedDiff = (
  before: string,
  after: string,
): { text: string; added: number; removed: number } => {
  const [old, next] = [linesOf(before), linesOf(after)];
  const hunks = lineDiff(old, next);
  const lines: string[] = [];
  let shown = 0;
  for (const [i, hunk] of hunks.entries()) {
    const above = Math.max(hunk.newStart - CONTEXT, shown);
    if (i > 0 && above > shown) lines.push("…");
    lines.push(...contextLines(next, above, hunk.newStart), ...hunkLines(old, next, hunk));
    const below = Math.min(hunk.newEnd + CONTEXT, hunks[i + 1]?.newStart ?? next.length);
    lines.push(...contextLines(next, hunk.newEnd, below));
    shown = below;
  }
  const rest = lines.length - MAX_LINES;
  const text = rest > 0 ? [...lines.slice(0, MAX_LINES), `… ${rest} more lines of the diff`] : lines;
  const removed = hunks.reduce((sum, hunk) => sum + hunk.oldEnd - hunk.oldStart, 0);
  return { text: text.join("\n"), added: removed + next.length - old.length, removed };
};

const hunkLines = (old: readonly string[], next: readonly string[], hunk: Hunk): string[] => [
  ...old.slice(hunk.oldStart, hunk.oldEnd).map((line, i) => marked("-", hunk.oldStart + i, line)),
  ...next.slice(hunk.newStart, hunk.newEnd).map((line, i) => marked("+", hunk.newStart + i, line)),
];

const contextLines = (lines: readonly string[], from: number, to: number): string[] =>
  lines.slice(from, to).map((line, i) => marked(" ", from + i, line));

const marked = (sign: string, index: number, line: string): string => {
  const text = line.length > MAX_LINE_CHARS ? `${cutText(line, MAX_LINE_CHARS)}…` : line;
  return sign + numberedLine(index + 1, text);
};
