import { cutText, linesOf, numberedLine } from "../text-format.ts";
import { nearestStart } from "./nearest.ts";
import { occurrences } from "./occurrences.ts";

const MAX_SHOWN = 12;
const MAX_LINE_CHARS = 300;
const REGION = 40;

/** Why `old` was not found in `text` (both LF), and the line around which it was probably meant (from 0). */
export const absentAdvice = (
  text: string,
  { old, next }: { old: string; next: string },
): { text: string; around: number | null } => {
  const lines = linesOf(text);
  const applied = appliedAt(text, { old, next });
  if (applied !== null) {
    const end = applied + Math.min(linesOf(next).length, MAX_SHOWN);
    const where = `new_text is there already, at line ${applied + 1}: the change seems to be already applied.`;
    return { text: `${where}\n${shown(lines, applied, end)}`, around: applied };
  }
  const wanted = linesOf(old);
  const start = nearestStart(lines, wanted);
  if (start === null) return { text: "Nothing in the file resembles it.", around: null };
  const end = Math.min(start + Math.min(Math.max(wanted.length, 1), MAX_SHOWN), lines.length);
  const nearest = `Nearest, lines ${start + 1}-${end}:\n${shown(lines, start, end)}`;
  const difference = firstDifference(lines, wanted, start);
  return { text: difference === null ? nearest : `${nearest}\n${difference}`, around: start };
};

/** The lines around `line` (from 0), 40 to each side. */
export const regionAround = (text: string, line: number): string => {
  const lines = linesOf(text);
  const [start, end] = [Math.max(0, line - REGION), Math.min(lines.length, line + REGION + 1)];
  return `Lines ${start + 1}-${end} as they are now:\n${shown(lines, start, end)}`;
};

/** The line (from 0) in which position `at` of `text` is. */
export const lineAt = (text: string, at: number): number => {
  let line = 0;
  for (let i = text.indexOf("\n"); i >= 0 && i < at; i = text.indexOf("\n", i + 1)) line++;
  return line;
};

/** Where `next` stands when it is long enough to mean something and not itself a part of `old`; else null. */
const appliedAt = (text: string, { old, next }: { old: string; next: string }): number | null => {
  const core = next.replace(/^\n+|(?<!\n)\n+$/g, "");
  if (core.trim().length < 3 || !/\w/.test(core) || firstOf(old, core) !== null) return null;
  const at = firstOf(text, core);
  return at === null ? null : lineAt(text, at);
};

const firstOf = (text: string, wanted: string): number | null =>
  occurrences(text, wanted).next().value ?? null;

const shown = (lines: readonly string[], start: number, end: number): string =>
  lines
    .slice(start, end)
    .map((line, i) => numberedLine(start + i + 1, short(line)))
    .join("\n");

const short = (line: string): string =>
  line.length > MAX_LINE_CHARS ? `${cutText(line, MAX_LINE_CHARS)}…` : line;

const firstDifference = (
  lines: readonly string[],
  wanted: readonly string[],
  start: number,
): string | null => {
  for (const [i, want] of wanted.entries()) {
    const have = lines[start + i];
    if (have === undefined) return `First difference: the file ends before line ${i + 1} of old_text.`;
    const partial = (i === 0 && have.endsWith(want)) || (i === wanted.length - 1 && have.startsWith(want));
    if (have === want || partial) continue;
    const where = `First difference, line ${start + i + 1}: the file has ${excerpt(have, want)}, old_text has ${excerpt(want, have)}`;
    return `${where}${indentNote(have, want)}.`;
  }
  return null;
};

/** In JSON form, so that tabs and odd characters show; of long lines the part that differs. */
const excerpt = (line: string, other: string): string => {
  let same = 0;
  while (same < line.length && line[same] === other[same]) same++;
  const from = same > 120 ? same - 60 : 0;
  const part = JSON.stringify(cutText(line.slice(from), 160));
  return `${from > 0 ? "…" : ""}${part}${line.length > from + 160 ? "…" : ""}`;
};

const indentNote = (have: string, want: string): string => {
  if (have.trim() !== want.trim()) return "";
  const [a, b] = [indentOf(have), indentOf(want)];
  return a === b ? "" : ` (indented with ${indentName(a)} in the file, with ${indentName(b)} in old_text)`;
};

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

const indentName = (indent: string): string => {
  const tabs = indent.split("\t").length - 1;
  const spaces = indent.length - tabs;
  const parts = [
    ...(tabs > 0 ? [`${tabs} tab${tabs === 1 ? "" : "s"}`] : []),
    ...(spaces > 0 ? [`${spaces} space${spaces === 1 ? "" : "s"}`] : []),
  ];
  return parts.length === 0 ? "nothing" : parts.join(" and ");
};
