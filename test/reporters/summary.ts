import type { Reporter, TestModule } from "vitest/node";

/**
 * Closes a run with the suites that ran, the tests that were skipped by name, and the totals on a line of their
 * own. With UWF_TEST_NO_SKIP=1 a skipped test fails the run.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = new Map<string, number>();
    const skipped: string[] = [];
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      const name = `${module.project.name} ${module.relativeModuleId}`;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        suites.set(name, (suites.get(name) ?? 0) + 1);
        if (state === "passed") passed++;
        else if (state === "skipped") skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
        else failed++;
      }
      if (module.state() === "failed" && module.errors().length > 0) failed++;
    }
    print(
      "Suites",
      [...suites].map(([name, count]) => `${name} (${count})`),
    );
    print("Skipped", skipped);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
    if (process.env.UWF_TEST_NO_SKIP === "1" && skipped.length > 0) {
      process.stdout.write("No test may be skipped here (UWF_TEST_NO_SKIP=1).\n");
      process.exitCode = 1;
    }
  }
}

const print = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`);
};
