import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import LongestFirst from "./test/longest-first.ts";

/** End-to-end suites replay every thread that they have recorded, not a part of those that are much alike. */
const replaysAll = process.env.REPLAYS === "all";

const project = (
  name: string,
  include: string[],
  more: {
    testTimeout: number;
    isolate: boolean;
    maxWorkers?: number;
    sequence: { groupOrder: number };
  },
) => ({
  test: {
    name,
    include,
    hookTimeout: replaysAll ? 1_800_000 : more.testTimeout,
    environment: "node" as const,
    ...more,
  },
});

/** These tests wait for other processes much of the time. */
const atLeastTwo = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    projects: [
      project("unit", ["test/unit/**/*.test.ts"], {
        testTimeout: 10_000,
        isolate: false,
        maxWorkers: atLeastTwo,
        sequence: { groupOrder: 0 },
      }),
      project("integration", ["test/contracts/**/*.test.ts", "test/integration/**/*.test.ts"], {
        testTimeout: 60_000,
        isolate: true,
        maxWorkers: atLeastTwo,
        sequence: { groupOrder: 1 },
      }),
      project("e2e", ["test/e2e/**/*.test.ts"], {
        testTimeout: 120_000,
        isolate: true,
        // Of two cores, two of these left a third idle; four leave nothing.
        maxWorkers: atLeastTwo + 2,
        sequence: { groupOrder: 2 },
      }),
    ],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./test/reporters/summary.ts"],
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
