const MAX_LINES = 120;
const MAX_LINE_CHARS = 400;
const BEFORE = 15;
const AFTER = 25;

/** What test runners, compilers and runners of checks write where something went wrong. */
const TROUBLE =
  /##\[error\]|::error|\b(?:error|failed|failure|fatal|panic|exception|traceback|assert\w*)\b|^\s*(?:not ok|✗|✖|×|E {2})|exit code [1-9]/i;
/** Lines that hold such a word and mean no harm. */
const HARMLESS = /\b0 (?:errors?|failed|failures)\b|error-?free|no errors/i;
/** What runners put before each line. */
const STAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z?\s/;

/**
 * The part of a check's log that tells why it failed: the lines around the last signs of trouble, and the end; what lies between
 * is left out with a note. Without any sign, the end.
 */
export const relevantLog = (log: string): string => {
  const lines = log
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(STAMP, "").slice(0, MAX_LINE_CHARS));
  if (lines.length <= MAX_LINES) return lines.join("\n");
  const wanted = new Set<number>();
  const take = (from: number, to: number): boolean => {
    for (let at = Math.min(to, lines.length - 1); at >= Math.max(0, from); at--) {
      if (wanted.size >= MAX_LINES) return false;
      wanted.add(at);
    }
    return true;
  };
  take(lines.length - BEFORE, lines.length - 1);
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (!TROUBLE.test(line) || HARMLESS.test(line)) continue;
    if (!take(at - BEFORE, at + AFTER)) break;
  }
  return shown(
    lines,
    [...wanted].sort((a, b) => a - b),
  );
};

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
