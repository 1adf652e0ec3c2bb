import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import "../rigs/cluster/count-faults.ts";
import "../rigs/count-attempts.ts";

/**
 * Closes a run with the suites that ran, the tests that were skipped by name, the faults that tests have injected, the
 * attacks that they have tried, what failed and why (last, since of a long output often the end alone is kept), and the
 * totals on a line of their own. With UWF_TEST_NO_SKIP=1 a skipped test fails the run.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const suites = new Map<string, number>();
    const skipped: string[] = [];
    const failures: string[] = [];
    const faults = tally("faults");
    const attempts = tally("attempts");
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      const name = `${module.project.name} ${module.relativeModuleId}`;
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        faults.take(test);
        attempts.take(test);
        suites.set(name, (suites.get(name) ?? 0) + 1);
        if (state === "passed") passed++;
        else if (state === "skipped") skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
        else failed++;
        if (state === "failed") failures.push(failure(`${name}: ${test.fullName}`, errors));
      }
      for (const suite of [module, ...module.children.allSuites()]) {
        if (suite.errors().length === 0) continue;
        failed++;
        failures.push(failure(suite.type === "suite" ? `${name}: ${suite.fullName}` : name, suite.errors()));
      }
    }
    failed += unhandled.length;
    if (unhandled.length > 0) failures.push(failure("outside of any test", unhandled));
    print(
      "Suites",
      [...suites].map(([name, count]) => `${name} (${count})`),
    );
    print("Skipped", skipped);
    print("Faults", faults.lines("injected", "survived"));
    print("Attempts", attempts.lines("tried", "held"));
    print("Failed", failures);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
    if (process.env.UWF_TEST_NO_SKIP === "1" && skipped.length > 0) {
      process.stdout.write("No test may be skipped here (UWF_TEST_NO_SKIP=1).\n");
      process.exitCode = 1;
    }
  }
}

const MOST_OF_AN_ERROR = 3_000;

/** Where it failed and, of each of its errors, what it says, how the values differ and where in this project it comes from. */
const failure = (where: string, errors: readonly SerializedError[] = []): string =>
  [where, ...errors.map(told)].join("\n").replaceAll("\n", "\n    ");

const told = ({ message, diff, stack }: SerializedError): string => {
  const frames = (stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !/node_modules|node:|<anonymous>/.test(line));
  const words = [message, ...(typeof diff === "string" ? [diff] : [])].join("\n").slice(0, MOST_OF_AN_ERROR);
  return stripVTControlCharacters([words, ...frames].join("\n"));
};

/** What tests have done to the product, by kind: withstood where the test passed. */
const tally = (what: "faults" | "attempts") => {
  const kinds = new Map<string, { done: number; withstood: number }>();
  const add = (kind: string, done: number, withstood: number): void => {
    const sum = kinds.get(kind) ?? { done: 0, withstood: 0 };
    kinds.set(kind, { done: sum.done + done, withstood: sum.withstood + withstood });
  };
  return {
    take: (test: TestCase): void => {
      const passed = test.result().state === "passed";
      for (const [kind, count] of Object.entries(test.meta()[what] ?? {}))
        add(kind, count, passed ? count : 0);
    },
    lines: (doneWord: string, withstoodWord: string): string[] => {
      for (const { done, withstood } of [...kinds.values()]) add("all", done, withstood);
      return [...kinds].map(
        ([kind, { done, withstood }]) => `${kind}: ${done} ${doneWord}, ${withstood} ${withstoodWord}`,
      );
    },
  };
};

const print = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`);
};
