import type { Reporter, TestCase, TestModule } from "vitest/node";
import "../rigs/cluster/count-faults.ts";

/**
 * Closes a run with the suites that ran, the tests that were skipped by name, the faults that tests have injected, and the
 * totals on a line of their own. With UWF_TEST_NO_SKIP=1 a skipped test fails the run.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = new Map<string, number>();
    const skipped: string[] = [];
    const faults = faultCount();
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      const name = `${module.project.name} ${module.relativeModuleId}`;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        faults.take(test);
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
    print("Faults", faults.lines());
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
    if (process.env.UWF_TEST_NO_SKIP === "1" && skipped.length > 0) {
      process.stdout.write("No test may be skipped here (UWF_TEST_NO_SKIP=1).\n");
      process.exitCode = 1;
    }
  }
}

/** What tests have broken: survived where the test passed. */
const faultCount = () => {
  const kinds = new Map<string, { injected: number; survived: number }>();
  return {
    take: (test: TestCase): void => {
      for (const [kind, count] of Object.entries(test.meta().faults ?? {})) {
        const { injected, survived } = kinds.get(kind) ?? { injected: 0, survived: 0 };
        const passed = test.result().state === "passed" ? count : 0;
        kinds.set(kind, { injected: injected + count, survived: survived + passed });
      }
    },
    lines: (): string[] => {
      if (kinds.size === 0) return [];
      const sum = { injected: 0, survived: 0 };
      for (const { injected, survived } of kinds.values()) {
        sum.injected += injected;
        sum.survived += survived;
      }
      return [...kinds, ["all", sum] as const].map(
        ([kind, { injected, survived }]) => `${kind}: ${injected} injected, ${survived} survived`,
      );
    },
  };
};

const print = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`);
};
