import { alternate, atMost, ms, type Row, times } from "./measurement.ts";
import type { Growth, StepRunner } from "./step-text.ts";

/** One that ours is held against, on the same store. */
export type Beside = {
  name: string;
  runner: StepRunner;
  /** Lengths of threads that it takes part in. */
  lengths: readonly number[];
  /** The most that a step of ours may take, as a part of one of theirs; null where that is only told. */
  goal(steps: number, history: Growth): number | null;
};

/** A kind of store: ours on it, and the others. */
export type StepSetting = {
  /** ` on PostgreSQL`; empty for the store that everybody has. */
  place: string;
  lengths: readonly { steps: number; rounds: number }[];
  open(): Promise<{ uwf: StepRunner; besides: readonly Beside[]; close(): Promise<void> }>;
};

/** Threads until all sides are compiled and their logs have grown to their size. */
const WARM_UP = { steps: 20, rounds: 60 };

const titles: Readonly<Record<Growth, string>> = {
  none: "2 kB answer each",
  growing: "2 kB answer each, all kept",
};

/** What the engine costs per step beside others on the same store, and whether steps of long threads cost more. */
export const stepOverhead = async (setting: StepSetting): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const history of ["none", "growing"] as const) rows.push(...(await measure(setting, history)));
  return rows;
};

const measure = async ({ place, lengths, open }: StepSetting, history: Growth): Promise<Row[]> => {
  const { uwf, besides, close } = await open();
  const contenders = (steps: number): Record<string, () => Promise<number>> =>
    Object.fromEntries(
      [{ name: "uwf", runner: uwf }, ...takingPart(besides, steps)].map(({ name, runner }) => [
        name,
        () => runner.run({ steps, history }),
      ]),
    );
  await alternate(contenders(WARM_UP.steps), { rounds: WARM_UP.rounds });
  const rows: Row[] = [];
  const ours = new Map<number, number>();
  for (const { steps, rounds } of lengths) {
    const took = await alternate(contenders(steps), { rounds, warmUp: steps > 100 ? 0 : 1 });
    const perStep = (name: string): number => (took[name] ?? Number.NaN) / steps;
    ours.set(steps, perStep("uwf"));
    for (const { name, goal } of takingPart(besides, steps)) {
      const row = { steps, uwf: perStep("uwf"), theirs: perStep(name), limit: goal(steps, history) };
      rows.push(rowOf(`A step of ${steps}${place}, ${titles[history]}`, { ...row, name }));
    }
  }
  await close();
  return [...rows, flatRow(`A step of 1000${place}, ${titles[history]}`, ours)];
};

const takingPart = (besides: readonly Beside[], steps: number): readonly Beside[] =>
  besides.filter(({ lengths }) => lengths.includes(steps));

const rowOf = (
  measured: string,
  { uwf, theirs, name, limit }: { uwf: number; theirs: number; name: string; limit: number | null },
): Row => ({
  measured,
  uwf: ms(uwf),
  beside: `${name} ${ms(theirs)}`,
  result: times(uwf / theirs),
  goal: limit === null ? null : atMost(uwf / theirs, limit, `${limit}×`),
});

const flatRow = (measured: string, perStep: ReadonlyMap<number, number>): Row =>
  rowOf(measured, {
    uwf: perStep.get(1000) ?? Number.NaN,
    theirs: perStep.get(20) ?? Number.NaN,
    name: "a step of 20",
    limit: 1.3,
  });
