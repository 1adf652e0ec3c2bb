import { defineConfig } from "vitest/config";

const project = (
  name: string,
  include: string[],
  more: { testTimeout: number; isolate: boolean; retry?: number },
) => ({
  test: { name, include, hookTimeout: more.testTimeout, environment: "node" as const, ...more },
});

export default defineConfig({
  test: {
    projects: [
      project("unit", ["test/unit/**/*.test.ts"], { testTimeout: 10_000, isolate: false }),
      project("integration", ["test/contracts/**/*.test.ts", "test/integration/**/*.test.ts"], {
        testTimeout: 60_000,
        isolate: true,
      }),
      // Two of some three hundred faults failed once under load, unexplained: the report names what was tried again.
      project("e2e", ["test/e2e/**/*.test.ts"], { testTimeout: 120_000, isolate: true, retry: 1 }),
    ],
    reporters: ["default", "./test/reporters/summary.ts"],
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
