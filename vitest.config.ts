import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], timeout: number) => ({
  test: { name, include, testTimeout: timeout, hookTimeout: timeout, environment: "node" as const },
});

export default defineConfig({
  test: {
    projects: [
      project("unit", ["test/unit/**/*.test.ts"], 10_000),
      project("integration", ["test/contracts/**/*.test.ts", "test/integration/**/*.test.ts"], 60_000),
      project("e2e", ["test/e2e/**/*.test.ts"], 120_000),
    ],
    reporters: ["default", "./test/reporters/summary.ts"],
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
