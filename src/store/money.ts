/** Amounts are kept as whole millionths of a US dollar: sums of them are exact, and come out the same in any order. */
const MILLION = 1_000_000;

/** What amounts without bound, and sums of them, are kept as. */
export const MOST_MILLIONTHS = Number.MAX_SAFE_INTEGER;

export const millionthsOf = (usd: number): number => Math.min(Math.round(usd * MILLION), MOST_MILLIONTHS);

export const usdOf = (millionths: number): number => millionths / MILLION;
