import { calls, resolves } from "../../../src/llm/scripted-model.ts";
import type { RoleStep } from "../model-script.ts";
import { thinks } from "./thinks.ts";

const summary =
  "`500ms` was read as 500 minutes because the pattern of unit names tried `m` before `ms`. Longer names now come first. " +
  "Text that no part of a duration covers was ignored; it is now refused with a `RangeError`.";
const changes = [
  { path: "src/units.js", what: "longer unit names come first in the pattern" },
  { path: "src/parse.js", what: "refuses text that is only partly a duration" },
  { path: "test/parse.test.js", what: "tests for both" },
  { path: "CHANGELOG.md", what: "a line about it" },
];
const verification = [{ command: "node --test", result: "passed" }];

const planner: readonly RoleStep[] = [
  thinks(
    '500ms becomes 500 minutes: "m" wins over "ms". Where does the pattern come from?',
    calls(
      "read_file",
      { path: "src/units.js" },
      calls("read_file", { path: "src/parse.js" }),
      calls("search_files", { pattern: "ANY_UNIT" }),
    ),
  ),
  resolves({
    summary:
      "src/units.js:11 lists the units' names in the order of their length, and the first alternative that fits wins: `m` " +
      "before `ms`. src/parse.js:11 looks only whether there is any part, so the `s` that is left is ignored. Longer names first, and " +
      "what no part covers refused.",
    acceptance:
      '`parseDuration("500ms")` is 500, what `formatDuration` writes is read back, and a text that is only partly a duration throws.',
    steps: [
      { what: "Try longer names first", where: "src/units.js, ANY_UNIT" },
      { what: "Refuse text that is only partly a duration", where: "src/parse.js, parseDuration" },
      { what: "Tests for both", where: "test/parse.test.js" },
      { what: "A line under Unreleased", where: "CHANGELOG.md" },
    ],
    checks: ["node --test test/round-trip.test.js", "node --test"],
    risks: "Callers that rely on trailing text being ignored get a RangeError.",
  }),
];

const coder: readonly RoleStep[] = [
  thinks(
    "First I want to see it fail.",
    calls("shell_exec", { command: "node --test test/round-trip.test.js" }),
  ),
  calls(
    "read_file",
    { path: "src/units.js" },
    calls("read_file", { path: "src/parse.js" }),
    calls("read_file", { path: "test/parse.test.js" }),
    calls("read_file", { path: "CHANGELOG.md" }),
  ),
  thinks(
    "Alternatives are tried in order, so the longer name has to come first. And what no part covers must be refused.",
    calls(
      "patch_file",
      {
        path: "src/units.js",
        old_text: `/** A regular expression's source that matches the name of any unit. */
export const ANY_UNIT = UNITS.map((unit) => unit.name).join("|");`,
        new_text: `/**
 * A regular expression's source that matches the name of any unit. The first alternative that fits
 * wins, so "ms" stands before "m".
 */
export const ANY_UNIT = UNITS.map((unit) => unit.name)
  .sort((one, other) => other.length - one.length)
  .join("|");`,
      },
      calls("patch_file", {
        path: "src/parse.js",
        old_text: "  if (parts.length === 0) {",
        new_text: '  if (parts.length === 0 || text.replace(PART, "").trim() !== "") {',
      }),
    ),
  ),
  thinks(
    "Now tests for both, beside the ones that are there, and a line in the changelog.",
    calls(
      "patch_file",
      {
        path: "test/parse.test.js",
        old_text: `test("refuses a text without any duration", () => {`,
        new_text: `test("tells milliseconds from minutes", () => {
  assert.equal(parseDuration("500ms"), 500);
  assert.equal(parseDuration("1m 500ms"), 60500);
});

test("refuses a text that is only partly a duration", () => {
  for (const text of ["5 minutes", "10x 3s", "3s later"]) {
    assert.throws(() => parseDuration(text), RangeError);
  }
});

test("refuses a text without any duration", () => {`,
      },
      calls("patch_file", {
        path: "CHANGELOG.md",
        old_text: "- Milliseconds: ",
        new_text: `- Fixed: \`parseDuration("500ms")\` is 500; it was read as minutes. A text that is only partly a duration is
  refused.
- Milliseconds: `,
      }),
    ),
  ),
  thinks("The whole suite.", calls("shell_exec", { command: "node --test" })),
  thinks("And the diff, as its reviewer will see it.", calls("git_diff", {})),
  resolves({
    status: "done",
    summary,
    changes,
    verification,
    decided: null,
    open: null,
  }),
];

const reviewer: readonly RoleStep[] = [
  thinks(
    "The change, and the code around it.",
    calls("git_diff", {}, calls("read_file", { path: "src/parse.js" })),
  ),
  thinks(
    "Does it hold at the edges?",
    calls("shell_exec", {
      command: `node --input-type=module -e '
import { parseDuration } from "./src/index.js";
for (const text of ["500ms", " 1m 500ms ", "1.5h", "5 minutes", ""])
  try { console.log(JSON.stringify(text), parseDuration(text)); } catch (error) { console.log(error.message); }'`,
    }),
  ),
  resolves({
    status: "approved",
    summary: "It reads milliseconds, and refuses what is only partly a duration; both are tested.",
    findings: [],
  }),
];

const tester: readonly RoleStep[] = [
  calls(
    "shell_exec",
    { command: "node --test test/round-trip.test.js" },
    calls("shell_exec", { command: "node --test" }),
  ),
  resolves({
    status: "passed",
    summary: "All tests pass, the three that failed before among them.",
    verification,
    failures: [],
  }),
];

const committer: readonly RoleStep[] = [
  calls("git_diff", {}, calls("git_log", { limit: 5 })),
  resolves({
    status: "done",
    message: `Read milliseconds as milliseconds, not as minutes

The pattern of unit names tried "m" before "ms", and the "s" that was left was ignored.`,
    summary,
    changes,
    verification,
    open: null,
  }),
];

/** What the roles of `develop` do about the issue of the `durations` repository. */
export const demoDevelopers = { planner, coder, reviewer, tester, committer };
