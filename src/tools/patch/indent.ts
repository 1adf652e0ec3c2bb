import type { Change } from "./edges.ts";

/**
 * The change re-indented to where it fits into `text`: every line of `old` with one constant indentation added or
 * taken away, and `new` with the same. Positions in `text`, with the change for each.
 */
export const indentShifts = (text: string, change: Change): { at: number; change: Change }[] => {
  const wanted = change.old.split("\n");
  const anchor = wanted.findIndex((line) => line.trim() !== "");
  const anchorText = wanted[anchor]?.trimStart() ?? "";
  if (anchor < 0) return [];
  const lines = text.split("\n");
  const starts = lineStarts(lines);
  const shiftedBy = shiftsOf(change);
  const found: { at: number; change: Change }[] = [];
  for (let i = anchor; i < lines.length; i++) {
    if (lines[i]?.trimStart() !== anchorText) continue;
    const shift = shiftBetween(wanted[anchor] ?? "", lines[i] ?? "");
    const shifted = shift === null ? null : shiftedBy(shift);
    const at = starts[i - anchor] ?? 0;
    if (shifted !== null && isAt(text, at, shifted.old)) found.push({ at, change: shifted });
  }
  return found;
};

type Shift = { add: string } | { remove: string };

const shiftBetween = (wanted: string, line: string): Shift | null => {
  if (line.length > wanted.length && line.endsWith(wanted))
    return { add: line.slice(0, line.length - wanted.length) };
  if (wanted.length > line.length && wanted.endsWith(line))
    return { remove: wanted.slice(0, wanted.length - line.length) };
  return null;
};

/** Lines in one place are mostly shifted alike. */
const shiftsOf = (change: Change): ((shift: Shift) => Change | null) => {
  let last: { key: string; change: Change | null } | undefined;
  return (shift) => {
    const key = JSON.stringify(shift);
    if (last?.key !== key) last = { key, change: shiftedChange(change, shift) };
    return last.change;
  };
};

const shiftedChange = (change: Change, shift: Shift): Change | null => {
  const [older, newer] = [shiftLines(change.old, shift), shiftLines(change.new, shift)];
  return older === null || newer === null ? null : { ...change, old: older, new: newer };
};

/** null when a line has less indentation than is to be taken away. */
const shiftLines = (text: string, shift: Shift): string | null => {
  const shifted: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") shifted.push(line);
    else if ("add" in shift) shifted.push(shift.add + line);
    else if (line.startsWith(shift.remove)) shifted.push(line.slice(shift.remove.length));
    else return null;
  }
  return shifted.join("\n");
};

/** Whole lines: the match must end where a line does. */
const isAt = (text: string, at: number, old: string): boolean => {
  const end = at + old.length;
  return text.startsWith(old, at) && (old.endsWith("\n") || end === text.length || text[end] === "\n");
};

const lineStarts = (lines: readonly string[]): number[] => {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
};
