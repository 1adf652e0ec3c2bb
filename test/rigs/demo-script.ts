import { readFileSync } from "node:fs";
import type { Json } from "../../src/base/json.ts";
import { calls, resolves, says } from "../../src/llm/scripted-model.ts";
import { durations } from "../fixtures/durations.ts";
import { type ModelScript, type RoleStep, roleScript } from "./model-script.ts";

/** The files of the repository that the script works on. */
export const demoRepository = durations.directory;

const issueText = readFileSync(durations.issueFile, "utf8");

/** The issue that the script solves, as somebody would write it. */
export const demoIssue = {
  title: issueText.slice(0, issueText.indexOf("\n")).replace(/^#\s*/, ""),
  body: issueText.slice(issueText.indexOf("\n")).trim(),
};

const thinks = (thought: string, reply: ReturnType<typeof calls>): RoleStep => ({
  ...says(thought),
  ...reply,
});

/** The workspace's root: the first line of the command that began with `pwd`. */
const rootIn = (messages: readonly { role: string; content: string }[]): string =>
  messages
    .findLast(({ role, content }) => role === "tool" && content.startsWith("/"))
    ?.content.split("\n")[0] ?? ".";

const preparer: readonly RoleStep[] = [
  thinks(
    "I look at the rules, the manifest and the layout.",
    calls(
      "list_files",
      { path: ".", depth: 2 },
      calls("read_file", { path: "AGENTS.md" }),
      calls("read_file", { path: "package.json" }),
    ),
  ),
  thinks(
    "The tests need no installation. Do they run here?",
    calls("shell_exec", { command: "pwd && node --test" }),
  ),
  ({ messages }) => resolves(preparation(rootIn(messages))),
];

const preparation = (repoPath: string): Json => ({
  repoPath,
  defaultBranch: "main",
  conventions:
    "No dependencies. Units are declared in src/units.js and nowhere else. What a user can notice gets a line under " +
    '"Unreleased" in CHANGELOG.md. Two spaces, double quotes, semicolons, lines below 100 characters.',
  toolchain: { install: null, test: "node --test", lint: null, format: null },
  relevant: [
    { path: "src/parse.js", why: "reads durations" },
    { path: "src/units.js", why: "makes the pattern that names units" },
    { path: "test/parse.test.js", why: "the tests of reading" },
  ],
  trouble: "Three tests of test/round-trip.test.js fail, all with milliseconds: that is the issue.",
});

const developer: readonly RoleStep[] = [
  thinks(
    "First I want to see it fail.",
    calls("shell_exec", { command: "node --test test/round-trip.test.js" }),
  ),
  thinks(
    '500ms becomes 500 minutes: "m" wins over "ms". Where does the pattern come from?',
    calls("search_files", { pattern: "ANY_UNIT" }),
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
    summary:
      "`500ms` was read as 500 minutes because the pattern of unit names tried `m` before `ms`. Longer names now come first. " +
      "Text that no part of a duration covers was ignored; it is now refused with a `RangeError`.",
    changes: [
      { path: "src/units.js", what: "longer unit names come first in the pattern" },
      { path: "src/parse.js", what: "refuses text that is only partly a duration" },
      { path: "test/parse.test.js", what: "tests for both" },
      { path: "CHANGELOG.md", what: "a line about it" },
    ],
    verification: [{ command: "node --test", result: "passed" }],
    open: null,
  }),
];

const submitter: readonly RoleStep[] = [
  calls("git_diff", {}, calls("git_log", { limit: 5 })),
  resolves({
    title: "Read milliseconds as milliseconds, not as minutes",
    body: `\`parseDuration("500ms")\` was 30000000: the pattern of unit names tried \`m\` before \`ms\`, and the \`s\` that was left
was ignored.

- Longer unit names come first in the pattern, so \`ms\` is found before \`m\`.
- Text that no part of a duration covers (\`5 minutes\`, \`10x 3s\`) is refused with a \`RangeError\`, as the README promises.
- Tests for both, and a line in the changelog.

Verified with \`node --test\`: the three round-trip tests with milliseconds failed before and pass now, like all others.

Callers that relied on trailing text being ignored now get a \`RangeError\`.`,
  }),
];

/**
 * What a model would do to solve the issue of the `durations` repository with `solve-issue`: every step is a real
 * call of a real tool, and what it finds and changes is up to the tools.
 */
export const demoScript: ModelScript = roleScript({ preparer, developer, submitter });
