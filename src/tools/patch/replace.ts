import type { Change } from "./edges.ts";
import { lineDiff } from "./line-diff.ts";
import type { Match } from "./match.ts";
import type { View } from "./view.ts";

/** The source with the change made at every hit that does not overlap an earlier one; nothing else is touched. */
export const replaceHits = (
  source: string,
  { view, change, hits }: Match,
): { text: string; places: number } => {
  const pieces: string[] = [];
  const edits = editsOf(change);
  const eolAt = lineEnds(source);
  let done = 0;
  let places = 0;
  let free = 0;
  for (const hit of hits) {
    if (hit < free) continue;
    free = hit + change.old.length;
    places++;
    const [start, end] = [view.start(hit), view.end(free - 1)];
    pieces.push(
      source.slice(done, start),
      replacement(source, { view, hit, change, edits, eol: eolAt(start) }),
    );
    done = end;
  }
  return { text: pieces.join("") + source.slice(done), places };
};

/** What goes and what comes, by its place in `old`. */
type Edit = { from: number; to: number; text: string };

type Place = { view: View; hit: number; change: Change; edits: readonly Edit[]; eol: string };

/**
 * What stands in the place of one hit. Where `old` matched only loosely, the lines and the ends of lines that the
 * change leaves as they are keep the source's own characters.
 */
const replacement = (source: string, { view, hit, change, edits, eol }: Place): string => {
  const original = (from: number, to: number): string =>
    to > from ? source.slice(view.start(hit + from), view.end(hit + to - 1)) : "";
  let text = "";
  let at = 0;
  for (const edit of edits) {
    text += original(at, edit.from) + (eol === "\n" ? edit.text : edit.text.replaceAll("\n", eol));
    at = edit.to;
  }
  return text + original(at, change.old.length);
};

/** By lines, and of a changed piece without what it begins and ends with as before. */
const editsOf = (change: Change): Edit[] => {
  const [before, after] = [splitLines(change.old), splitLines(change.new)];
  const offsets = offsetsOf(before);
  return lineDiff(before, after).map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const old = before.slice(oldStart, oldEnd).join("");
    const next = after.slice(newStart, newEnd).join("");
    const least = Math.min(old.length, next.length);
    let prefix = 0;
    while (prefix < least && old[prefix] === next[prefix]) prefix++;
    let suffix = 0;
    while (suffix < least - prefix && old.at(-1 - suffix) === next.at(-1 - suffix)) suffix++;
    const at = offsets[oldStart] ?? change.old.length;
    return {
      from: at + prefix,
      to: at + old.length - suffix,
      text: next.slice(prefix, next.length - suffix),
    };
  });
};

/** With their line ends. */
const splitLines = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

const offsetsOf = (lines: readonly string[]): number[] => {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length;
    return start;
  });
};

/** The line end that a new line at a place should have: the next one's, else the last one's. Asked for one place after the other. */
const lineEnds = (source: string): ((at: number) => string) => {
  const last = source.lastIndexOf("\n");
  let next = -1;
  return (at) => {
    if (next < at && next < last) next = at > last ? last : source.indexOf("\n", at);
    return next > 0 && source[next - 1] === "\r" ? "\r\n" : "\n";
  };
};
