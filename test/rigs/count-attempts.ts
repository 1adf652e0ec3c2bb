import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** How many attacks a test has tried, by kind. */
    attempts?: Record<string, number>;
  }
}

/** Says that a test has tried attacks; the run's summary counts those that were held. */
export const countAttempts = ({ task }: TestContext, kind: string, count = 1): void => {
  const attempts = task.meta.attempts ?? {};
  attempts[kind] = (attempts[kind] ?? 0) + count;
  task.meta.attempts = attempts;
};
