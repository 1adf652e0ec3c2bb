/** Two lists side by side: what has the same key stands in one row, the rest alone, in an order that keeps both. */
export const align = <T>(
  a: readonly T[],
  b: readonly T[],
  key: (one: T) => string,
): [T | null, T | null][] => {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  const same = (i: number, j: number): boolean => {
    const [left, right] = [a[i], b[j]];
    return left !== undefined && right !== undefined && key(left) === key(right);
  };
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (lengths[i] as number[])[j] = same(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const rows: [T | null, T | null][] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (same(i, j)) rows.push([a[i++] ?? null, b[j++] ?? null]);
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      rows.push([a[i++] ?? null, null]);
    else rows.push([null, b[j++] ?? null]);
  }
  return rows;
};
