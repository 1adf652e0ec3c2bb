import { readFileSync } from "node:fs";
import type { Json } from "../../src/base/json.ts";
import { calls, resolves } from "../../src/llm/scripted-model.ts";
import { durations } from "../fixtures/durations.ts";
import { demoDevelopers } from "./demo/developers.ts";
import { thinks } from "./demo/thinks.ts";
import { type ModelScript, type RoleStep, roleScript } from "./model-script.ts";

/** The files of the repository that the script works on. */
export const demoRepository = durations.directory;

const issueText = readFileSync(durations.issueFile, "utf8");

/** The issue that the script solves, as somebody would write it. */
export const demoIssue = {
  title: issueText.slice(0, issueText.indexOf("\n")).replace(/^#\s*/, ""),
  body: issueText.slice(issueText.indexOf("\n")).trim(),
};

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

const submitter: readonly RoleStep[] = [
  calls("git_diff", {}, calls("list_files", { path: "." })),
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
export const demoScript: ModelScript = roleScript({ preparer, ...demoDevelopers, submitter });
