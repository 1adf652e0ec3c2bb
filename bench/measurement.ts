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

/** The 95th percentile: one in twenty is more. */
export const slowestOfTwenty = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

/** Milliseconds that `work` takes. */
export const timed = async (work: () => unknown): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** What each contender answers in each round, run in turn: whatever else the machine does meets all of them alike. */
export const inTurn = async <K extends string, T>(
  contenders: Readonly<Record<K, () => Promise<T>>>,
  { rounds, warmUp = 1 }: { rounds: number; warmUp?: number },
): Promise<Record<K, T[]>> => {
  const names = Object.keys(contenders) as K[];
  const answers = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  for (let round = -warmUp; round < rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const answer = await contenders[name]();
      if (round >= 0) answers[name].push(answer);
    }
  }
  return answers;
};

/** The medians of contenders that answer numbers. */
export const alternate = async <K extends string>(
  contenders: Readonly<Record<K, () => Promise<number>>>,
  options: { rounds: number; warmUp?: number },
): Promise<Record<K, number>> => {
  const samples = await inTurn(contenders, options);
  const medians = Object.entries<number[]>(samples).map(([name, values]) => [name, median(values)]);
  return Object.fromEntries(medians) as Record<K, number>;
};

export const ms = (value: number): string => `${significant(value)} ms`;
export const perSecond = (value: number): string => `${significant(value)}/s`;
export const times = (ratio: number): string => `${significant(ratio)}×`;

export const atMost = (value: number, limit: number, text: string): Row["goal"] => ({
  text: `≤ ${text}`,
  met: value <= limit,
});

export const atLeast = (value: number, limit: number, text: string): Row["goal"] => ({
  text: `≥ ${text}`,
  met: value >= limit,
});

/** Three digits say more than these measurements are worth already. */
const significant = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
