/** Amounts are kept as whole millionths of a US dollar: sums of them are exact, and come out the same in any order. */
const MILLION = 1_000_000;

/** An amount without bound becomes the greatest that can be kept. */
export const millionthsOf = (usd: number): number =>
  Math.min(Math.round(usd * MILLION), Number.MAX_SAFE_INTEGER);

export const usdOf = (millionths: number): number => millionths / MILLION;
