import { type Change, withoutBlankEdges } from "./edges.ts";
import { indentShifts } from "./indent.ts";
import { occurrences } from "./occurrences.ts";
import { foldCharacters, foldedView, sourceView, trimLineEnds, trimmedView, type View } from "./view.ts";

export type Tier = 1 | 2 | 3 | 4 | 5 | 6;

/** Where `change.old` stands in `view.text`. Hits may overlap. */
export type Match = { tier: Tier; view: View; change: Change; hits: readonly number[] };

/**
 * Looks for `old` ever less strictly; the first way that finds anything decides, however often it does:
 * 1 exactly; 2 without line numbers copied from a reading tool; 3 whatever spaces end the lines, without blank edge
 * lines; 4 with typographic quotes, dashes and spaces as ASCII; 5 with one constant shift of the indentation;
 * 6 with `\n` and `\"` unescaped. null: nowhere. `source` may have CRLF, the change is in LF.
 */
export const findChange = (source: string, asked: Change): Match | null => {
  const plain = sourceView(source);
  const unnumbered = withoutNumbers(asked);
  const change = unnumbered ?? asked;
  return (
    search(1, plain, [asked]) ??
    (unnumbered === null ? null : search(2, plain, [unnumbered])) ??
    loosely(plain, change) ??
    search(6, plain, unescaped(asked))
  );
};

const loosely = (plain: View, change: Change): Match | null => {
  const trimmed = trimmedView(plain);
  const trimmedChange = withTrimmedEnds(change);
  const third = search(3, trimmed, [trimmedChange, ...withoutBlankEdges(trimmedChange)]);
  if (third !== null) return third;
  const folded = trimmedView(foldedView(plain));
  const foldedChange = withTrimmedEnds({ ...change, old: foldCharacters(change.old) });
  const edgeless = withoutBlankEdges(foldedChange);
  return search(4, folded, [foldedChange, ...edgeless]) ?? indented(folded, [foldedChange, ...edgeless]);
};

const indented = (view: View, changes: readonly Change[]): Match | null => {
  for (const change of changes) {
    const shifts = indentShifts(view.text, change);
    const [first] = shifts;
    if (first !== undefined)
      return { tier: 5, view, change: first.change, hits: shifts.map((shift) => shift.at) };
  }
  return null;
};

const search = (tier: Tier, view: View, changes: readonly Change[]): Match | null => {
  for (const change of changes) {
    const hits = change.old.trim() === "" && tier > 1 ? [] : hitsOf(view.text, change);
    if (hits.length > 0) return { tier, view, change, hits };
  }
  return null;
};

const hitsOf = (text: string, change: Change): number[] => {
  const hits: number[] = [];
  for (const at of occurrences(text, change.old)) {
    const end = at + change.old.length;
    const startFits = change.atLineStart !== true || at === 0 || text[at - 1] === "\n";
    const endFits = change.atLineEnd !== true || end === text.length || text[end] === "\n";
    if (startFits && endFits) hits.push(at);
  }
  return hits;
};

/** A space that ended `old` promised that nothing follows on the line, so its loss asks for a line's end. */
const withTrimmedEnds = (change: Change): Change => {
  const old = trimLineEnds(change.old);
  return /[ \t]$/.test(change.old) ? { ...change, old, atLineEnd: true } : { ...change, old };
};

const NUMBER = /^[ +]?[ ]*\d+\t/;

/** The change without `N<TAB>` at the start of every line, or null when not all lines of `old` have one. */
const withoutNumbers = (change: Change): Change | null => {
  const old = stripped(change.old);
  return old === null ? null : { ...change, old, new: stripped(change.new) ?? change.new };
};

const stripped = (text: string): string | null => {
  const lines = text.split("\n");
  const body = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  if (body.length === 0 || !body.every((line) => NUMBER.test(line))) return null;
  return lines.map((line) => line.replace(NUMBER, "")).join("\n");
};

/** Models sometimes escape a text twice. Each side is judged by itself: real line ends mean that `\n` was meant. */
const unescaped = (change: Change): Change[] => {
  const old = unescapedText(change.old);
  return old === change.old ? [] : [{ ...change, old, new: unescapedText(change.new) }];
};

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", '"': '"', "'": "'", "\\": "\\" };

const unescapedText = (text: string): string =>
  text.includes("\n")
    ? text.replace(/\\(["'])/g, "$1")
    : text.replace(/\\(["'\\ntr])/g, (whole, char: string) => ESCAPES[char] ?? whole);
