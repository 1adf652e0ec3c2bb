import type { Hash, ThreadId } from "../../src/base/ids.ts";
import { commandNames } from "../../src/forge/text/command-table.ts";
import type { DesignTurn } from "../../src/forge/text/design-turn.ts";
import type { Receipt } from "../../src/forge/text/pull-request-body.ts";
import type { RoleView, ThreadView } from "../../src/forge/text/thread-view.ts";
import type { Usage } from "../../src/store/payload.ts";

export const thread = "01M7XDZAYQBH3ZGNTHQM0BYJQ2" as ThreadId;

const at = Date.UTC(2026, 10, 21, 20, 9);
const tokens = (inputTokens: number, costUsd: number): Usage => ({
  ...{ inputTokens, costUsd },
  ...{ cachedInputTokens: 0, outputTokens: Math.round(inputTokens / 20) },
});
const role = (name: string, change: Partial<RoleView> = {}): RoleView => ({
  ...{ name, state: "waiting", summary: null, ms: null, usage: null, since: null, within: [] },
  ...change,
});

const preparer = role("preparer", {
  ...{ state: "done", ms: 42_000, usage: tokens(31_000, 0.06) },
  summary:
    "- Repo path: /workspace\n- Conventions: Every fix comes with a test. `src/units.ts` is generated.\n- Toolchain: test `npm test`, lint `npm run lint`",
});
const developer = role("developer", {
  within: ["planner", "coder", "reviewer", "tester", "committer"].map((name) =>
    role(name, { state: "done" }),
  ),
  ...{ state: "done", ms: 284_000, usage: tokens(210_000, 0.31) },
  summary:
    "`500ms` was read as 500 minutes: the unit was cut to its first letter. The parser reads the whole unit now.\n\n- Changes:\n  - `src/parse.ts`, reads the whole unit\n  - `test/parse.test.ts`, `500ms` and unknown units\n- Verification:\n  - `npm test`, passed",
});
const submitter = role("submitter", {
  ...{ state: "done", ms: 21_000, usage: tokens(12_000, 0.03) },
  summary: "Read the whole unit of a duration",
});

const failure =
  "The workflow develop failed: coder: The model's provider refused the request (400).\n\nWhat is done so far is kept. Say how it is to go on, and another attempt is made.";
const visited = (...names: string[]) => names.map((name) => role(name, { state: "done" }));
const failedIn = [...visited("planner"), role("coder", { state: "failed" })];
const working = [
  preparer,
  role("developer", {
    ...{ state: "running", since: at },
    within: [
      ...visited("planner"),
      role("coder", { state: "running" }),
      ...["reviewer", "tester", "committer"].map((name) => role(name)),
    ],
  }),
  role("submitter"),
];
const waiting = [preparer, role("developer"), role("submitter")];
const done = [preparer, developer, submitter];
const pull = { number: 13, url: "https://github.com/acme/parser/pull/13" };
const ANSWERED = `Name the unit that is not known

Answered:

- The message names the unit now, and what is allowed.
- Left as it is: \`5m\` stands for minutes in the README since #9.`;
const question = `The issue says that \`5m\` is five minutes; \`README.md\` says five months. Which one holds?

- minutes: \`5m\` in the README changes
- months: the parser changes for every unit`;
const plan = {
  summary: "The unit of a duration is cut to its first letter. The parser is to read it whole.",
  steps: [
    { what: "read the unit up to the next digit or the end", where: "`src/parse.ts`" },
    { what: "refuse units that are not known, with their name", where: "`src/parse.ts`" },
    { what: "add `500ms`, `5m` and `5x`", where: "`test/parse.test.ts`" },
  ],
  verification: "`npm test` passes, with the new tests.",
  risks: "Callers that wrote `5minutes` got minutes until now; they get an error.",
  questions: ["Does `5m` stay minutes? Assumed: yes."],
};

export const unfinished = "The budget of $2.00 is spent. Left: the tests of `src/parse.ts`, the README.";

const view = (change: Partial<ThreadView>): ThreadView => ({
  ...{ thread, workflow: "solve-issue", state: "running", reason: null, awaits: null, requester: "mona" },
  ...{
    trigger: "label",
    leftOut: {},
    notice: null,
    on: "issues",
    roles: working,
    branch: null,
    pullRequest: null,
  },
  ...{ commit: null, answered: 0, reviewed: null, refused: [], unpublished: 0, forkOf: null },
  ...{ usage: tokens(31_000, 0.06), ms: 75_000 },
  ...{ budget: { spentUsd: 0.06, limitUsd: 2 }, commands: commandNames },
  ...change,
});
const ended = {
  ...{ usage: tokens(253_000, 0.4), ms: 362_000, budget: { spentUsd: 0.4, limitUsd: 2 } },
  branch: { name: "uwf/issue-12-500ms", url: "https://github.com/acme/parser/tree/uwf/issue-12-500ms" },
};

/** Every state that a person may meet, in the order of a thread's life. */
export const states: readonly { title: string; view: ThreadView }[] = [
  {
    title: "Queued",
    view: view({
      ...{ state: "queued", awaits: { kind: "worker" }, roles: [role("preparer"), ...waiting.slice(1)] },
      ...{ usage: tokens(0, 0), ms: 2_000, budget: { spentUsd: 0, limitUsd: 2 } },
    }),
  },
  { title: "Working", view: view({}) },
  {
    title: "Working, with a host that it was refused",
    view: view({ refused: [{ target: "registry.example.org:443", reason: "not-allowed", count: 3 }] }),
  },
  {
    title: "Working, with an answer to a command",
    view: view({
      notice: {
        to: "ada",
        text: "Work is under way here already (it is running). `/stop` ends it; then ask again.",
      },
    }),
  },
  {
    title: "Waiting for its model or its forge",
    view: view({
      ...{ state: "queued", awaits: { kind: "retry", at: at + 120_000 }, roles: waiting },
      reason:
        "developer: The model's provider allows no more requests for now (429). It will be tried again.",
    }),
  },
  {
    title: "Waiting for an answer",
    view: view({
      ...{ state: "suspended", reason: question.replace(/\s+/g, " "), awaits: { kind: "answer", question } },
      roles: [preparer, role("developer", { state: "asked", summary: question }), role("submitter")],
    }),
  },
  {
    title: "A workflow that played a role has failed",
    view: view({
      ...{ state: "suspended", reason: failure, awaits: { kind: "failure", question: failure } },
      roles: [
        preparer,
        { ...developer, state: "failed", summary: failure, within: failedIn },
        role("submitter"),
      ],
    }),
  },
  {
    title: "A plan that waits for approval",
    view: view({
      ...{ state: "suspended", trigger: "plan", reason: "Waits for the approval of what was answered." },
      awaits: { kind: "approval", plan, base: "a8977adabcee3678c1feeba1fe986155b07ab96d" },
      roles: [preparer, role("planner", { state: "done", summary: plan.summary }), ...waiting.slice(1)],
    }),
  },
  {
    title: "Paused by a person",
    view: view({ state: "paused", awaits: { kind: "person" }, reason: "Paused by mona.", roles: waiting }),
  },
  {
    title: "Paused at its budget",
    view: view({
      ...{ state: "paused", awaits: { kind: "person" }, roles: waiting, ...ended },
      reason: `The thread's budget of $2.00 is spent ($2.00). The parser is changed; its tests and the README are left.`,
      ...{ usage: tokens(1_310_000, 2), budget: { spentUsd: 2, limitUsd: 2 } },
      pullRequest: { ...pull, draft: "yes" },
    }),
  },
  {
    title: "Done, with a draft until its checks pass",
    view: view({
      ...{ state: "completed", roles: done, ...ended },
      pullRequest: { ...pull, draft: "until-checks-pass" },
    }),
  },
  {
    title: "Done, with a pull request to review",
    view: view({ state: "completed", roles: done, ...ended, pullRequest: { ...pull, draft: "no" } }),
  },
  {
    title: "Done, by a workflow that publishes nothing",
    view: view({
      ...{ state: "completed", workflow: "develop", trigger: "run", roles: developer.within, ...ended },
      ...{ branch: null, unpublished: 2 },
    }),
  },
  {
    title: "Done, after a review",
    view: view({
      ...{ state: "completed", workflow: "address-review", trigger: "review", on: "pull requests", ...ended },
      roles: [developer, { ...submitter, summary: ANSWERED }],
      pullRequest: { ...pull, draft: "no" },
      commit: { name: "5d41402abc4b", url: "https://github.com/acme/parser/commit/5d41402abc4b" },
      answered: 2,
    }),
  },
  {
    title: "Failed",
    view: view({
      ...{ state: "failed", ...ended },
      reason: "submitter: mona may not write to acme/parser any more, so nothing was published.",
      roles: [preparer, developer, role("submitter", { state: "failed" })],
      branch: null,
    }),
  },
  {
    title: "Stopped",
    view: view({ state: "cancelled", reason: "Stopped by mona.", roles: waiting }),
  },
  {
    title: "The bot was removed",
    view: view({
      ...{ state: "cancelled", reason: "The bot was removed from the repository.", roles: waiting },
    }),
  },
];

const hash = (letters: string) => letters.padEnd(52, "0") as Hash;

export const receipt: Receipt = {
  thread,
  workflow: { name: "solve-issue", hash: hash("7Q2M9XKD40VTR") },
  roles: [
    { role: "preparer", model: "gpt-5.2", prompt: hash("3ZB8NE61QWCAT") },
    { role: "planner", model: "gpt-5.2", prompt: hash("T7C5WQ0RJ8ENV") },
    { role: "coder", model: "gpt-5.2", prompt: hash("M4T0HXV9J2SPR") },
    { role: "reviewer", model: "gpt-5.2", prompt: hash("C2R8GKX4ZB6HD") },
    { role: "tester", model: "gpt-5.2-mini", prompt: hash("E9V1PNM7YT3SA") },
    { role: "committer", model: "gpt-5.2-mini", prompt: hash("8HQ6JDW2FK5XR") },
    { role: "submitter", model: "gpt-5.2-mini", prompt: hash("9KD3W7YAQ5FGE") },
  ],
  setup: [{ command: "npm ci", ok: true }],
  commands: [
    { command: "npm test -- parse", ok: false, ms: 3_200 },
    { command: "npm test", ok: true, ms: 11_000 },
  ],
  usage: tokens(253_000, 0.4),
  ms: 362_000,
  base: "a8977adabcee3678c1feeba1fe986155b07ab96d",
};

/** A turn of the designer in a conversation on an issue. */
export const designTurn: DesignTurn = {
  language: "en",
  said: [
    "Good. Not everything that it needs is here:\n\n- tool gmail:send (mails the result)",
    "How should it be?",
  ],
  failed: null,
  questions: [],
  alternatives: [
    {
      ...{ title: "Answer only", description: "The result stands in the thread's comment." },
      ...{
        approach: "The role's answer is shown there.",
        tradeOffs: ["nobody gets mail"],
        complexity: "simple",
      },
    },
    {
      ...{ title: "Configure mail first", description: "A server for mail is added to uwf." },
      ...{ approach: "An MCP server whose tool the role has.", complexity: "medium" },
      tradeOffs: ["somebody has to set it up"],
    },
  ],
  draft: null,
};
