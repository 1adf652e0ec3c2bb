import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export type TestOutcome = {
  passed: boolean;
  /** The runner's own totals and the names of failing tests. */
  lines: string[];
};

/** Clones one branch afresh and runs the repository's own test there, as anybody would. */
export const testBranch = async (repository: string, branch: string): Promise<TestOutcome> => {
  const directory = await mkdtemp(join(tmpdir(), "uwf-demo-clone-"));
  try {
    await run("git", ["clone", "--quiet", "--branch", branch, "--", repository, directory]);
    const { passed, output } = await runTests(directory);
    return {
      passed,
      lines: output.split("\n").filter((line) => /^(not ok|# (tests|pass|fail) )/.test(line)),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const runTests = async (cwd: string): Promise<{ passed: boolean; output: string }> => {
  const { PATH = "", HOME = "" } = process.env;
  try {
    const { stdout } = await run("node", ["--test", "--test-reporter=tap"], { cwd, env: { PATH, HOME } });
    return { passed: true, output: stdout };
  } catch (error) {
    const { stdout, code } = error as { stdout?: string; code?: unknown };
    if (typeof code !== "number" || stdout === undefined) throw error;
    return { passed: false, output: stdout };
  }
};
