import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** How many faults a test has injected, by kind. */
    faults?: Record<string, number>;
  }
}

/** Says that a test has injected faults; the run's summary counts those that were survived. */
export const countFaults = ({ task }: TestContext, kind: string, count = 1): void => {
  const faults = task.meta.faults ?? {};
  faults[kind] = (faults[kind] ?? 0) + count;
  task.meta.faults = faults;
};
