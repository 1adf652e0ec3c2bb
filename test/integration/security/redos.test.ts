import { createContext, Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { shownMarkdown } from "../../../src/forge/text/shown/shown-text.ts";
import { holds } from "../../../src/workflow/condition.ts";
import { pumpsFor, type SourcePattern, sourcePatterns } from "../../fixtures/source-patterns.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const LENGTH = 10_000;
/** Of what a pattern that reads the same text once costs, and of one that reads it again from each place. */
const MOST = { linear: 300, quadratic: 20 };

/** They go back where they cannot hurt: what they read is short, or the operator's own. */
const SHORT: Readonly<Record<string, string>> = {
  "base/exact-money.ts": "a number as we write it",
  "cli/solve/repository.ts": "an argument of the person's own",
  "cli/doctor/program-checks.ts": "the version of an installed program",
  "config/environment.ts": "the operator's environment",
  "forge/github/convert-manifest.ts": "the operator's address",
  "forge/text/branch-name.ts": "500 characters of a title",
  "intake/commands/parse.ts": "a line, without the line end that it would take",
  "llm/openai/asked-wait.ts": "a header",
  "llm/openai/refusal.ts": "10,000 characters of a page",
  "server/setup/form.ts": "fields of the operator's, in the setup alone",
  "telemetry/otel-environment.ts": "the operator's environment",
  "worker/forge-urls.ts": "the forge's own address of an issue",
  "workspace/commit-text.ts": "a subject of 256 characters",
  "workspace/layout.ts": "the address of a repository",
  "workspace/names.ts": "one segment of a path",
};

const script = new Script("work()", { filename: "patterns" });
const realm: { work?: () => unknown } = createContext({});

/** Microseconds of computing; no more than `mostMs` milliseconds of it. */
const costOf = (pattern: RegExp, text: string, mostMs: number): number => {
  realm.work = () => (pattern.global ? text.replace(pattern, "") : pattern.test(text));
  const before = process.threadCpuUsage();
  try {
    pattern.lastIndex = 0;
    script.runInContext(realm, { timeout: mostMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/** The least of some tries: what else the machine does costs nobody anything here. */
const least = (costs: () => number): number => Math.min(...Array.from({ length: 5 }, costs));
const once = least(() => costOf(/[^\0]*\0/y, "a".repeat(LENGTH), 1_000));
const again = least(() => costOf(/0+$/, `${"0".repeat(LENGTH)}\u0001`, 10_000));

const patterns = sourcePatterns(new URL("../../../src", import.meta.url).pathname);
const fileOf = ({ where }: SourcePattern): string => where.replace(/:\d+$/, "");
const byFile = Map.groupBy(patterns, fileOf);

describe("patterns over texts that make them go back", () => {
  it("finds the patterns", () => {
    expect(patterns.length).toBeGreaterThan(200);
    expect(Object.keys(SHORT).filter((file) => !byFile.has(file))).toEqual([]);
  });

  it("measures what it is to measure", () => {
    expect(again).toBeGreaterThan(once * MOST.linear);
    expect(costOf(/^(a+)+$/, `${"a".repeat(40)}!`, 2_000)).toBeGreaterThan(again * 2);
  });

  it.for([...byFile])("%s: none reads a text again and again", ([file, found], context) => {
    const most = file in SHORT ? again * MOST.quadratic : Math.max(once * MOST.linear, again / 3);
    const slow: string[] = [];
    for (const pattern of found) {
      const compiled = new RegExp(pattern.source, pattern.flags.replace("y", ""));
      const pumps = new Set(pumpsFor(pattern, LENGTH));
      countAttempts(context, "slow patterns", pumps.size);
      for (const text of pumps) {
        const isSlow = (): boolean => costOf(compiled, text, 2_000) > most;
        // The first time may have compiled it.
        if (isSlow() && isSlow() && isSlow())
          slow.push(
            `${pattern.where} /${pattern.source}/${pattern.flags} on ${JSON.stringify(text.slice(0, 30))}`,
          );
      }
    }

    expect(slow).toEqual([]);
  });
});

describe("patterns that people bring", () => {
  const evil = ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){20}$", "^([a-z]+)*$", "^(\\w+\\s?)*$"];

  it.for(evil)("a condition that matches by %s ends", async (pattern, context) => {
    countAttempts(context, "slow patterns");
    const condition = `output.text.matches(${JSON.stringify(pattern)})`;
    const scope = {
      output: { text: `${"a".repeat(50_000)}!` },
      steps: {},
      visits: {},
      input: "",
      trigger: "",
    };

    const ended = await holds(condition, scope).then(
      (held) => ({ held }),
      (error: { code?: string }) => ({ code: error.code }),
    );

    expect([{ held: false }, { code: "too-slow" }, { code: "condition-failed" }]).toContainEqual(ended);
  });

  it.for([
    "*a_",
    "[a](",
    "<b>",
    "![",
    "[^a]: [^a]\n\n",
    "> ",
    "- ",
    "`a``",
    "<!--",
    "|a",
    "**a",
    "[a]: b\n\n[a]\n\n",
    "&shy;",
    "<table>x",
    "\\",
    "$a$",
  ])("Markdown full of %j is read, or left out", async (piece, context) => {
    countAttempts(context, "slow patterns");

    const { text } = await shownMarkdown(`first\n\n${piece.repeat(65_000 / piece.length)}`);

    expect(text).toMatch(/^first/);
  });
});
