import { langgraphSteps } from "./langgraph-steps.ts";
import { alternate, atMost, ms, type Row, times } from "./measurement.ts";
import type { Growth } from "./step-text.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { uwfSteps } from "./uwf-steps.ts";

const lengths = [
  { steps: 10, rounds: 30 },
  { steps: 20, rounds: 30 },
  { steps: 100, rounds: 9 },
  { steps: 1000, rounds: 3 },
];

/** Threads until both sides are compiled and their logs have grown to their size. */
const WARM_UP = { steps: 20, rounds: 60 };

const titles: Readonly<Record<Growth, string>> = {
  none: "2 kB answer each",
  growing: "2 kB answer each, all kept",
};

type PerStep = { steps: number; uwf: number; langgraph: number; durable: number | null };

/** What the engine costs per step beside LangGraph's SQLite saver, and whether steps of long threads cost more. */
export const stepOverhead = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const history of ["none", "growing"] as const) {
    const measured = await inTemporaryDirectory((root) => measure(root, history));
    rows.push(...measured.flatMap((one) => besideRows(one, history)), flatRow(measured, history));
  }
  return rows;
};

const measure = async (root: string, history: Growth): Promise<PerStep[]> => {
  const [uwf, langgraph, durable] = await Promise.all([
    uwfSteps(root),
    langgraphSteps(root),
    langgraphSteps(root, { synchronous: "FULL" }),
  ]);
  const contenders = (steps: number) => ({
    uwf: () => uwf.run({ steps, history }),
    langgraph: () => langgraph.run({ steps, history }),
  });
  const all = (steps: number) => ({ ...contenders(steps), durable: () => durable.run({ steps, history }) });
  await alternate(all(WARM_UP.steps), { rounds: WARM_UP.rounds });
  const results: PerStep[] = [];
  for (const { steps, rounds } of lengths) {
    // A thousand steps with their history fill gigabytes on the other side: once is enough for that.
    const took: Record<string, number> = await alternate(steps > 20 ? contenders(steps) : all(steps), {
      rounds,
      warmUp: steps > 100 ? 0 : 1,
    });
    const perStep = (name: string): number => (took[name] ?? Number.NaN) / steps;
    const full = "durable" in took ? perStep("durable") : null;
    results.push({ steps, uwf: perStep("uwf"), langgraph: perStep("langgraph"), durable: full });
  }
  await Promise.all([uwf.close(), langgraph.close(), durable.close()]);
  return results;
};

const besideRows = ({ steps, uwf, langgraph, durable }: PerStep, history: Growth): Row[] => {
  const measured = `A step of ${steps}, ${titles[history]}`;
  const row: Row = {
    measured,
    uwf: ms(uwf),
    beside: `LangGraph ${ms(langgraph)}`,
    result: times(uwf / langgraph),
    goal: goalOf(steps, history, uwf / langgraph),
  };
  if (durable === null) return [row];
  const beside = `LangGraph, as durable, ${ms(durable)}`;
  return [row, { ...row, beside, result: times(uwf / durable), goal: null }];
};

const goalOf = (steps: number, history: Growth, ratio: number): Row["goal"] => {
  if (steps === 20) return atMost(ratio, 0.5, "0.5×");
  return steps === 1000 && history === "growing" ? atMost(ratio, 0.1, "0.1×") : null;
};

const flatRow = (measured: readonly PerStep[], history: Growth): Row => {
  const perStep = (steps: number): number => measured.find((one) => one.steps === steps)?.uwf ?? Number.NaN;
  const ratio = perStep(1000) / perStep(20);
  return {
    measured: `A step of 1000, ${titles[history]}`,
    uwf: ms(perStep(1000)),
    beside: `a step of 20 ${ms(perStep(20))}`,
    result: times(ratio),
    goal: atMost(ratio, 1.3, "1.3×"),
  };
};
