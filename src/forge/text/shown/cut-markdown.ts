import { drawn } from "../invisible.ts";
import type { HiddenKind, LeftOut } from "./left-out.ts";
import { markdownTree } from "./markdown-tree.ts";
import type { Cut, Range } from "./range.ts";
import { decoded, type Seen, seenIn } from "./seen-markup.ts";
import { type Skeleton, skeletonOf } from "./skeleton.ts";

/** Takes out of Markdown once what is not shown of it; what is shown stays byte for byte. */
export const cutMarkdown = (text: string): { text: string; leftOut: LeftOut } => {
  const skeleton = skeletonOf(text, markdownTree(text));
  const seen = seenWithoutMarkup(text, skeleton) ?? seenIn(skeleton.html, skeleton.mark);
  const kept = keptOf(skeleton, seen);
  const cuts: Cut[] = [
    ...skeleton.cuts,
    ...skeleton.leaves.filter((_, number) => !seen.marks.has(number)).map(unnamed),
    ...skeleton.around.filter(({ leaves }) => !isSeen(seen, leaves)).map(unnamed),
    ...gapsBetween(skeleton.raw, kept).flatMap((gap) => withoutLineEnds(text, gap)),
    ...blankReferences(text, [...skeleton.leaves, ...kept]),
  ];
  return { text: without(text, cuts), leftOut: { ...counted(cuts), ...countedIn(seen, cuts) } };
};

const WHOLE_COMMENT = /^<!--(?!-?>)(?:(?!--)[\s\S])*-->\s*$/;

/** Of Markdown with no raw HTML but comments everything is seen but these; null for any other. */
const seenWithoutMarkup = (text: string, { raw, leaves }: Skeleton): Seen | null =>
  raw.every(({ from, to }) => WHOLE_COMMENT.test(text.slice(from, to)))
    ? { marks: new Set(leaves.keys()), ranges: [], comments: raw.length, elements: 0, attributes: 0 }
    : null;

const unnamed = ({ from, to }: Range): Cut => ({ from, to, kind: null });

const isSeen = ({ marks }: Seen, [first, end]: readonly [number, number]): boolean => {
  for (let number = first; number < end; number++) if (marks.has(number)) return true;
  return false;
};

/** Of the raw HTML what is seen, where it stands in the text. */
const keptOf = ({ raw }: Skeleton, { ranges }: Seen): Range[] => {
  const kept: Range[] = [];
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  let first = 0;
  for (const { at, from, to } of raw) {
    const end = at + (to - from);
    while (first < sorted.length && (sorted[first]?.to ?? 0) <= at) first++;
    for (let index = first; index < sorted.length; index++) {
      const range = sorted[index];
      if (range === undefined || range.from >= end) break;
      const start = from + Math.max(range.from, at) - at;
      const stop = from + Math.min(range.to, end) - at;
      if (start < stop) kept.push({ from: start, to: stop });
    }
  }
  return kept;
};

const gapsBetween = (raw: readonly Range[], kept: readonly Range[]): Range[] => {
  const gaps: Range[] = [];
  let next = 0;
  const sorted = merged(kept);
  for (const { from, to } of raw) {
    let at = from;
    while (next < sorted.length && (sorted[next]?.to ?? 0) <= from) next++;
    for (let index = next; index < sorted.length; index++) {
      const range = sorted[index];
      if (range === undefined || range.from >= to) break;
      if (range.from > at) gaps.push({ from: at, to: range.from });
      at = Math.max(at, range.to);
    }
    if (at < to) gaps.push({ from: at, to });
  }
  return gaps;
};

const REFERENCE = /&(?:#\d{1,8}|#x[0-9a-f]{1,8}|[a-z][a-z0-9]{1,40});?/gi;

/** References to characters that are drawn as nothing. In code they are no references, and shown. */
const blankReferences = (text: string, ranges: readonly Range[]): Cut[] =>
  text.includes("&")
    ? ranges.flatMap(({ from, to }) =>
        [...text.slice(from, to).matchAll(REFERENCE)].flatMap(({ index, 0: reference }) => {
          const character = decoded(reference);
          return character === reference || drawn(character).text !== ""
            ? []
            : [{ from: from + index, to: from + index + reference.length, kind: "characters" as const }];
        }),
      )
    : [];

/** Lines of a quotation stay apart. */
const withoutLineEnds = (text: string, { from, to }: Range): Cut[] => {
  const gap = text.slice(from, to);
  if (gap.trim() === "") return [];
  let [start, end] = [from, to];
  while (text[start] === "\n") start++;
  while (text[end - 1] === "\n") end--;
  return [{ from: start, to: end, kind: null }];
};

const merged = <R extends Range>(ranges: readonly R[]): Range[] => {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
};

/** Lines of which nothing else was left go with what stood in them. */
const without = (text: string, cuts: readonly Cut[]): string => {
  let shown = "";
  let at = 0;
  for (const { from, to } of merged(cuts)) {
    shown += text.slice(at, from);
    at = to;
    const lineStart = shown.lastIndexOf("\n") + 1;
    const isAlone = shown.slice(lineStart).trim() === "" && /^[ \t]*(?:\n|$)/.test(text.slice(at, at + 200));
    if (!isAlone) continue;
    shown = shown.slice(0, lineStart);
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  return shown + text.slice(at);
};

const counted = (cuts: readonly Cut[]): LeftOut => {
  const counts: Partial<Record<HiddenKind, number>> = {};
  for (const { kind } of cuts) if (kind !== null) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

const countedIn = ({ comments, elements, attributes }: Seen, cuts: readonly Cut[]): LeftOut => {
  const behind = attributes + cuts.filter(({ kind }) => kind === "behind").length;
  return {
    ...(comments > 0 ? { comments } : {}),
    ...(elements > 0 ? { elements } : {}),
    ...(behind > 0 ? { behind } : {}),
  };
};
