import { defineConfig } from "vitest/config";

/**
 * The tests that hold the code which decides who may ask, what is shown, and which paths may be touched: changed code has to
 * fail one of them. They start no servers and take seconds together: two thousand changes are tried.
 */
export default defineConfig({
  test: {
    include: [
      "test/unit/base/{redact,redact-stream,text-layers}.test.ts",
      "test/unit/config/{merge-repository-config,secrets}.test.ts",
      "test/unit/forge/{forgejo,github}/permission.test.ts",
      "test/unit/intake/{actor-limits,actors,allowed,clearly-asked,permission,writers}.test.ts",
      "test/unit/tools/glob.test.ts",
      "test/unit/worker/{admitted-file,protected-links,protected-paths}.test.ts",
      "test/unit/workspace/{confined-path,directories,linked-folders,names,place-name}.test.ts",
      "test/unit/workspace/workspace-files.test.ts",
    ],
    environment: "node",
    testTimeout: 10_000,
  },
});
