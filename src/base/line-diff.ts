/** One line of a diff, marked as `diff` does. */
export type DiffLine = { mark: " " | "-" | "+"; text: string };

/** Cells of the table that finds the shortest diff; what would take more is given as one piece that was replaced. */
const MAX_CELLS = 4_000_000;

/** What turns one text into the other, line by line, with every line that stays. */
export const lineDiff = (before: string, after: string): DiffLine[] => {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const marked = (mark: DiffLine["mark"]) => (text: string) => ({ mark, text });
  return [
    ...a.slice(0, head).map(marked(" ")),
    ...between(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(marked(" ")),
  ];
};

/** Lines that were added and taken away. */
export const lineCounts = (diff: readonly DiffLine[]): { added: number; removed: number } => ({
  added: diff.filter(({ mark }) => mark === "+").length,
  removed: diff.filter(({ mark }) => mark === "-").length,
});

/** The lines that differ with those next to them, as text; `…` where lines that are the same are left out, or too many differ. */
export const shortDiff = (
  before: string,
  after: string,
  {
    context = 1,
    maxLines = 40,
    maxChars = 200,
  }: { context?: number; maxLines?: number; maxChars?: number } = {},
): string[] => {
  const diff = lineDiff(before, after);
  const isNear = (index: number): boolean =>
    diff.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== " ");
  const shown: string[] = [];
  for (const [index, { mark, text }] of diff.entries()) {
    if (!isNear(index)) {
      if (shown.at(-1) !== "…" && shown.length > 0) shown.push("…");
      continue;
    }
    if (shown.length >= maxLines) return [...shown, "…"];
    shown.push(`${mark} ${text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text}`);
  }
  const says = (line: string) => line !== "…" && line.trim() !== "";
  return shown.slice(shown.findIndex(says), shown.findLastIndex(says) + 1);
};

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The longest common subsequence, from its table of lengths. */
const between = (a: readonly string[], b: readonly string[]): DiffLine[] => {
  const removed = a.map((text): DiffLine => ({ mark: "-", text }));
  const added = b.map((text): DiffLine => ({ mark: "+", text }));
  if (a.length === 0 || b.length === 0 || a.length * b.length > MAX_CELLS) return [...removed, ...added];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const diff: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      diff.push({ mark: " ", text: a[i] ?? "" });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) diff.push({ mark: "-", text: a[i++] ?? "" });
    else diff.push({ mark: "+", text: b[j++] ?? "" });
  }
  return [...diff, ...removed.slice(i), ...added.slice(j)];
};
