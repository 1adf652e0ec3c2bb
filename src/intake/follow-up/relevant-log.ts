import { terminalText } from "../../tools/terminal-text.ts";

const MAX_LINES = 120;
const MAX_CHARS = 12_000;
const MAX_LINE_CHARS = 400;
const BEFORE = 15;
const AFTER = 25;

/** What test runners, compilers and runners of checks write where something went wrong. */
const TROUBLE = new RegExp(
  [
    String.raw`##\[error\]|::error|^\s*(?:not ok|✗|✖|×|E {2})`,
    String.raw`\b\w{0,40}(?:error|exception|failure)s?\b|\bERR!`,
    String.raw`\b(?:fail(?:ed|s)?|fatal|panic(?:ked)?|traceback|assert\w*|segmentation fault|core dumped)\b`,
    String.raw`\b(?:command not found|no such file|out of memory|timed out)\b|exit(?:ed)?(?: with)?(?: status| code)? [1-9]`,
  ].join("|"),
  "i",
);
/** Such words where they mean no harm. */
const HARMLESS =
  /\b(?:0|no|zero) (?:errors?|fail(?:ed|ures?|s)?)\b|\b(?:errors?|fail(?:ed|ures?|s)?)[:=]? ?0\b|\berror-?free\b/gi;
/** What runners put before each line. */
const STAMP = /^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z?\s/;

/**
 * The part of a check's log that tells why it failed, as a terminal would show it: the lines around the last signs of trouble, and the
 * end; what lies between is left out with a note. Without any sign, the end.
 */
export const relevantLog = (log: string): string => {
  const lines = log.split("\n").map((line) => line.replace(STAMP, ""));
  const shownLines = terminalText(lines.join("\n"))
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(0, MAX_LINE_CHARS).toWellFormed());
  return shown(shownLines, wantedOf(shownLines));
};

/** Numbers of lines, in order. */
const wantedOf = (lines: readonly string[]): number[] => {
  const wanted = new Set<number>();
  let chars = 0;
  const take = (from: number, to: number): boolean => {
    for (let at = Math.min(to, lines.length - 1); at >= Math.max(0, from); at--) {
      if (wanted.has(at)) continue;
      chars += (lines[at]?.length ?? 0) + 1;
      if (wanted.size >= MAX_LINES || chars > MAX_CHARS) return false;
      wanted.add(at);
    }
    return true;
  };
  if (!take(lines.length - BEFORE, lines.length - 1)) return inOrder(wanted);
  for (let at = lines.length - 1; at >= 0; at--)
    if (isTrouble(lines[at] ?? "") && !take(at - BEFORE, at + AFTER)) return inOrder(wanted);
  // There is room: all of a short log, or more of the end.
  take(0, lines.length - 1);
  return inOrder(wanted);
};

const isTrouble = (line: string): boolean => TROUBLE.test(line.replace(HARMLESS, ""));

const inOrder = (wanted: ReadonlySet<number>): number[] => [...wanted].sort((a, b) => a - b);

const shown = (lines: readonly string[], wanted: readonly number[]): string => {
  let next = 0;
  const parts = wanted.flatMap((at) => {
    const left = at - next;
    next = at + 1;
    const line = lines[at] ?? "";
    return left > 0 ? [`… ${left} lines left out …`, line] : [line];
  });
  return parts.join("\n");
};
