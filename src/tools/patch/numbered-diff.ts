import { cutText, linesOf, numberedLine } from "../text-format.ts";
import { lineDiff } from "./line-diff.ts";

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
  let all = 0;
  const add = (from: number, to: number, lineAt: (index: number) => string): void => {
    for (let at = from; at < to && lines.length < MAX_LINES; at++) lines.push(lineAt(at));
    all += Math.max(0, to - from);
  };
  const gone = (at: number): string => marked("-", at, old[at] ?? "");
  const come = (at: number): string => marked("+", at, next[at] ?? "");
  const same = (at: number): string => marked(" ", at, next[at] ?? "");
  let shown = 0;
  for (const [i, hunk] of hunks.entries()) {
    const above = Math.max(hunk.newStart - CONTEXT, shown);
    if (i > 0 && above > shown) add(0, 1, () => "…");
    add(above, hunk.newStart, same);
    add(hunk.oldStart, hunk.oldEnd, gone);
    add(hunk.newStart, hunk.newEnd, come);
    shown = Math.min(hunk.newEnd + CONTEXT, hunks[i + 1]?.newStart ?? next.length);
    add(hunk.newEnd, shown, same);
  }
  const text = all > lines.length ? [...lines, `… ${all - lines.length} more lines of the diff`] : lines;
  const removed = hunks.reduce((sum, hunk) => sum + hunk.oldEnd - hunk.oldStart, 0);
  return { text: text.join("\n"), added: removed + next.length - old.length, removed };
};

const marked = (sign: string, index: number, line: string): string => {
  const text = line.length > MAX_LINE_CHARS ? `${cutText(line, MAX_LINE_CHARS)}…` : line;
  return sign + numberedLine(index + 1, text);
};
