import { type Hunk, lineDiff } from "./line-diff.ts";
import type { Match } from "./match.ts";
import type { View } from "./view.ts";

/** The source with the change made at every hit that does not overlap an earlier one; nothing else is touched. */
export const replaceHits = (
  source: string,
  { view, change, hits }: Match,
): { text: string; places: number } => {
  const pieces: string[] = [];
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
      replacement(source, { view, hit, old: change.old, new: change.new }),
    );
    done = end;
  }
  return { text: pieces.join("") + source.slice(done), places };
};

type Place = { view: View; hit: number; old: string; new: string };

/**
 * What stands in the place of one hit. Where `old` matched only loosely, the lines and the ends of lines that the
 * change leaves as they are keep the source's own characters.
 */
const replacement = (source: string, place: Place): string => {
  const { view, hit } = place;
  const original = (from: number, to: number): string =>
    to > from ? source.slice(view.start(hit + from), view.end(hit + to - 1)) : "";
  const [before, after] = [splitLines(place.old), splitLines(place.new)];
  const offsets = offsetsOf(before);
  const offset = (line: number): number => offsets[line] ?? place.old.length;
  const eol = eolNear(source, view.start(hit));
  let text = "";
  let line = 0;
  for (const hunk of lineDiff(before, after)) {
    text += original(offset(line), offset(hunk.oldStart));
    text += changed({ before, after, hunk, at: offset(hunk.oldStart), original, eol });
    line = hunk.oldEnd;
  }
  return text + original(offset(line), place.old.length);
};

const changed = (part: {
  before: readonly string[];
  after: readonly string[];
  hunk: Hunk;
  at: number;
  original(from: number, to: number): string;
  eol: string;
}): string => {
  const { hunk, at, original } = part;
  const old = part.before.slice(hunk.oldStart, hunk.oldEnd).join("");
  const next = part.after.slice(hunk.newStart, hunk.newEnd).join("");
  const least = Math.min(old.length, next.length);
  let prefix = 0;
  while (prefix < least && old[prefix] === next[prefix]) prefix++;
  let suffix = 0;
  while (suffix < least - prefix && old.at(-1 - suffix) === next.at(-1 - suffix)) suffix++;
  const middle = next.slice(prefix, next.length - suffix).replaceAll("\n", part.eol);
  return original(at, at + prefix) + middle + original(at + old.length - suffix, at + old.length);
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

/** The line end that a new line here should have: the next one's, else the last one's. */
const eolNear = (source: string, at: number): string => {
  const next = source.indexOf("\n", at);
  const end = next >= 0 ? next : source.lastIndexOf("\n", at);
  return end > 0 && source[end - 1] === "\r" ? "\r\n" : "\n";
};
