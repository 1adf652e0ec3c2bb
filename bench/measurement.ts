/** One line of the table. */
export type Row = {
  measured: string;
  /** Ours, with its unit. */
  uwf: string;
  /** What it is held against, with its unit; empty when the figure stands alone. */
  beside: string;
  /** `0.31×`, or the figure itself where the goal is absolute. */
  result: string;
  /** null: told for orientation, no goal. */
  goal: { text: string; met: boolean } | null;
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
};

/** Milliseconds that `work` takes. */
export const timed = async (work: () => unknown): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Medians of what each contender answers, run in turn: whatever else the machine does meets all of them alike. */
export const alternate = async <K extends string>(
  contenders: Readonly<Record<K, () => Promise<number>>>,
  { rounds, warmUp = 1 }: { rounds: number; warmUp?: number },
): Promise<Record<K, number>> => {
  const names = Object.keys(contenders) as K[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>;
  for (let round = -warmUp; round < rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const sample = await contenders[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<K, number>;
};

export const ms = (value: number): string => `${significant(value)} ms`;
export const times = (ratio: number): string => `${significant(ratio)}×`;

export const atMost = (value: number, limit: number, text: string): Row["goal"] => ({
  text: `≤ ${text}`,
  met: value <= limit,
});

/** Three digits say more than these measurements are worth already. */
const significant = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
