/** Lines [oldStart, oldEnd) became lines [newStart, newEnd); counted from 0. */
export type Hunk = { oldStart: number; oldEnd: number; newStart: number; newEnd: number };

/** More edits than this are one hunk: the search costs their square. */
const MAX_EDITS = 1000;

/**
 * What changed between two lists of lines, as few lines as possible
 * (Myers, An O(ND) Difference Algorithm, 1986).
 */
export const lineDiff = (before: readonly string[], after: readonly string[]): Hunk[] => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  if (oldEnd === start && newEnd === start) return [];
  const whole = { oldStart: start, oldEnd, newStart: start, newEnd };
  if (oldEnd === start || newEnd === start) return [whole];
  const inner = myers(before.slice(start, oldEnd), after.slice(start, newEnd));
  return inner?.map((hunk) => shifted(hunk, start)) ?? [whole];
};

/** Lines added and removed, in the fewest edits. */
export const changedLines = (hunks: readonly Hunk[]): { added: number; removed: number } => ({
  added: hunks.reduce((sum, hunk) => sum + hunk.newEnd - hunk.newStart, 0),
  removed: hunks.reduce((sum, hunk) => sum + hunk.oldEnd - hunk.oldStart, 0),
});

const shifted = (hunk: Hunk, by: number): Hunk => ({
  oldStart: hunk.oldStart + by,
  oldEnd: hunk.oldEnd + by,
  newStart: hunk.newStart + by,
  newEnd: hunk.newEnd + by,
});

/** null when there are more than `MAX_EDITS` edits. */
const myers = (a: readonly string[], b: readonly string[]): Hunk[] | null => {
  const max = Math.min(a.length + b.length, MAX_EDITS);
  const furthest = new Int32Array(2 * max + 3);
  const trace: Int32Array[] = [];
  for (let d = 0; d <= max; d++) {
    trace.push(furthest.slice());
    for (let k = -d; k <= d; k += 2) {
      const [left, right] = [furthest[max + k] ?? 0, furthest[max + k + 2] ?? 0];
      let x = k === -d || (k !== d && left < right) ? right : left + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[max + k + 1] = x;
      if (x >= a.length && x - k >= b.length) return hunksOf(trace, { max, x: a.length, y: b.length });
    }
  }
  return null;
};

const hunksOf = (trace: readonly Int32Array[], end: { max: number; x: number; y: number }): Hunk[] => {
  const hunks: Hunk[] = [];
  let { x, y } = end;
  for (let d = trace.length - 1; d > 0; d--) {
    const furthest = trace[d] ?? new Int32Array();
    const k = x - y;
    const [left, right] = [furthest[end.max + k] ?? 0, furthest[end.max + k + 2] ?? 0];
    const inserted = k === -d || (k !== d && left < right);
    const [fromX, fromY] = inserted ? [right, right - k - 1] : [left, left - k + 1];
    const edit = {
      oldStart: fromX,
      oldEnd: inserted ? fromX : fromX + 1,
      newStart: fromY,
      newEnd: inserted ? fromY + 1 : fromY,
    };
    const next = hunks[0];
    if (next !== undefined && next.oldStart === edit.oldEnd && next.newStart === edit.newEnd)
      hunks[0] = { ...next, oldStart: edit.oldStart, newStart: edit.newStart };
    else hunks.unshift(edit);
    [x, y] = [fromX, fromY];
  }
  return hunks;
};
