import { createHash } from "node:crypto";
import type { Json } from "../../src/base/json.ts";
import { calls, resolves } from "../../src/llm/scripted-model.ts";
import { answersWith, developRoles, eitherRole } from "./develop-script.ts";
import { type ModelScript, type ModelServerRequest, type RoleStep, roleScript } from "./model-script.ts";

const rightSum = "export const sum = (a, b) => a + b;\n";

type Result = "passed" | "failed" | "not-run";
const corrects: readonly RoleStep[] = [
  calls("read_file", { path: "sum.mjs" }),
  calls("write_file", { path: "sum.mjs", content: rightSum }),
];

export type SumsOptions = {
  /** What the coder and the tester say of the tests. */
  verification?: Result;
  /** Waited for before that role's first reply. */
  before?: { role: "preparer" | "planner" | "coder" | "reviser" | "fixer"; wait(): Promise<unknown> };
  /** Roles that do something else. */
  roles?: Readonly<Record<string, readonly RoleStep[]>>;
};

/**
 * What a model would do to solve issues of the repository of sums, and to follow up on its pull request, in few replies: with
 * `solve-issue` and its `develop`, `address-review`, `fix-ci` and `review-pr`.
 */
export const sumsScript = ({
  verification = "passed",
  before,
  roles = {},
}: SumsOptions = {}): ModelScript => {
  const developed = developRoles(corrects, {
    summary: "It adds.",
    changes: [{ path: "sum.mjs", what: "adds" }],
    verification: [{ command: "node --test", result: verification }],
  });
  const all: Readonly<Record<string, readonly RoleStep[]>> = {
    preparer: [resolves(preparation)],
    ...developed,
    planner: eitherRole("checks", [developed.planner, [(request) => resolves(planFor(taskIn(request)))]]),
    reviser: [(request) => noteOf("review", request), (request) => resolves(revised(taskIn(request)))],
    fixer: [(request) => noteOf("fix", request), resolves(fixed)],
    reviewer: eitherRole("checked", [[resolves(found)], developed.reviewer]),
    editor: [resolves(reviewed)],
    submitter: [(request) => resolves(submission(request))],
    ...roles,
  };
  const script = roleScript(
    before === undefined ? all : { ...all, [before.role]: waiting(all[before.role] ?? [], before.wait) },
  );
  return script;
};

const waiting = ([first, ...rest]: readonly RoleStep[], wait: () => Promise<unknown>): RoleStep[] => [
  async (request) => {
    await wait();
    if (first === undefined) throw new Error("nothing to wait before");
    return typeof first === "function" ? first(request) : first;
  },
  ...rest,
];

const taskIn = ({ messages }: ModelServerRequest): string =>
  messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => content)
    .join("\n");

/** Another file for another task. */
const noteOf = (kind: string, request: ModelServerRequest) => {
  const name = createHash("sha256").update(taskIn(request)).digest("hex").slice(0, 8);
  return calls("write_file", { path: `notes/${kind}-${name}.md`, content: "Done.\n" });
};

export const preparation: Json = {
  repoPath: ".",
  defaultBranch: "main",
  conventions: null,
  toolchain: { install: null, test: "node --test", lint: null, format: null },
};

/** A note changes it. */
const planFor = (task: string): Json => ({
  summary: "sum.mjs:1 subtracts.",
  steps: [{ what: /Multiply/.test(task) ? "Multiply" : "Add instead of subtracting", where: "sum.mjs, sum" }],
  verification: "`node --test` passes.",
  risks: null,
  questions: [],
});

/** The ids of the conversations in a task. */
const conversationsIn = (task: string): string[] => [
  ...new Set(
    [...task.matchAll(/^(?:Conversation|- conversation) (\S+?)(?:,| on )/gm)].map(([, id]) => id ?? ""),
  ),
];

const revised = (task: string): Json => ({
  status: "done",
  summary: "Done as asked.",
  changes: [{ path: "notes", what: "as asked" }],
  verification: [{ command: "node --test", result: "passed" }],
  answers: conversationsIn(task).map((conversation) => ({
    conversation,
    verdict: "done",
    text: "It is in notes now.",
  })),
  open: null,
});

const fixed: Json = {
  status: "fixed",
  cause: "ours",
  summary: "sum.mjs:1 was wrong.",
  changes: [{ path: "notes", what: "mended" }],
  verification: [{ command: "node --test", result: "passed" }],
  open: null,
};

const found: Json = {
  summary: "One finding.",
  findings: [
    {
      ...{ path: "sum.mjs", line: 1, severity: "major", problem: "No test." },
      ...{ scenario: "It breaks unseen.", evidence: "There is none." },
    },
  ],
  checked: [{ command: "node --test", result: "passed" }],
};

const reviewed: Json = {
  body: "One thing.",
  comments: [{ path: "sum.mjs", line: 1, text: "This needs a test." }],
};

const submission = (request: ModelServerRequest): Json => {
  const task = taskIn(request);
  if (!answersWith("answers", request)) return { title: "Add instead of subtracting", body: "It adds now." };
  const answers = conversationsIn(task).map((conversation) => ({
    conversation,
    text: "It is in notes now.",
  }));
  return { title: "Do what the review asks for", body: "Done as asked.", answers };
};
