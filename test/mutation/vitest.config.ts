import { defineConfig } from "vitest/config";

/**
 * The tests that hold the code which decides who may ask, what is shown, and which paths may be touched: changed code has to
 * fail one of them. Those that start servers are left out: thousands of changes are tried.
 */
export default defineConfig({
  test: {
    include: ["test/unit/{base,config,intake,tools,worker,workspace}/**/*.test.ts"],
    environment: "node",
    testTimeout: 10_000,
  },
});
