import type { RigState } from "../rule.ts";

/** A check of another App. */
export type ForeignRun = {
  id: number;
  fullName: string;
  commit: string;
  app: string;
  name: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  title: string | null;
  summary: string | null;
  annotations: readonly Annotation[];
  log: string | null;
};

export type Conclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "stale";

export type Annotation = { path: string; line: number; message: string };

export type ForeignStatus = {
  id: number;
  fullName: string;
  commit: string;
  context: string;
  state: "pending" | "success" | "failure" | "error";
  description: string | null;
  url: string | null;
};

export type ForeignChecks = { runs: ForeignRun[]; statuses: ForeignStatus[]; nextId(): number };

export const foreignChecks = (): ForeignChecks => {
  let last = 900_000;
  return { runs: [], statuses: [], nextId: () => ++last };
};

/** A check as somebody tells of it. Without a conclusion it is under way. */
export type ToldCheck = {
  name: string;
  conclusion?: Conclusion;
  title?: string;
  summary?: string;
  annotations?: readonly Annotation[];
  /** What the job wrote; only GitHub Actions' can be read. */
  log?: string;
};

/** Notes how checks of one App stand on a commit; when all of the App's have finished there, its suite has, and the bot is told. */
export const tellChecks = async (
  state: RigState,
  checks: ForeignChecks,
  {
    fullName,
    commit,
    app,
    told,
  }: { fullName: string; commit: string; app: string; told: readonly ToldCheck[] },
): Promise<void> => {
  for (const { name, conclusion, title, summary, annotations, log } of told) {
    const isUnderWay = (run: ForeignRun) => run.name === name && run.status !== "completed";
    const before = checks.runs.find((run) => isIn(run, { fullName, commit, app }) && isUnderWay(run));
    if (before !== undefined) checks.runs.splice(checks.runs.indexOf(before), 1);
    checks.runs.push({
      ...{ id: before?.id ?? checks.nextId(), fullName, commit, app, name },
      status: conclusion === undefined ? "in_progress" : "completed",
      conclusion: conclusion ?? null,
      title: title ?? null,
      summary: summary ?? null,
      annotations: annotations ?? [],
      log: log ?? null,
    });
  }
  const suite = latest(checks.runs.filter((run) => isIn(run, { fullName, commit, app })));
  if (suite.some(({ status }) => status !== "completed")) return;
  await tellSuite(state, { fullName, commit, app, conclusion: worst(suite), by: state.botLogin });
};

const isIn = (
  run: ForeignRun,
  { fullName, commit, app }: Pick<ForeignRun, "fullName" | "commit" | "app">,
): boolean => run.fullName === fullName && run.commit === commit && run.app === app;

/** The newest run of each name. */
export const latest = <T extends { name: string; app: unknown }>(runs: readonly T[]): T[] => [
  ...new Map(runs.map((run) => [`${JSON.stringify(run.app)} ${run.name}`, run])).values(),
];

const WORST_LAST: readonly Conclusion[] = [
  "skipped",
  "neutral",
  "success",
  "cancelled",
  "timed_out",
  "failure",
];

const worst = (runs: readonly ForeignRun[]): Conclusion =>
  runs
    .map(({ conclusion }) => conclusion ?? "neutral")
    .reduce((a, b) => (WORST_LAST.indexOf(b) > WORST_LAST.indexOf(a) ? b : a), "skipped");

/** Tells that all checks of an App on a commit have finished. */
export const tellSuite = async (
  state: RigState,
  suite: { fullName: string; commit: string; app: string; conclusion: string; by: string },
): Promise<void> => {
  const { fullName, commit, app, conclusion, by } = suite;
  const branches = (await state.repositories.get(fullName)?.branches()) ?? new Map<string, string>();
  const branch = [...branches].find(([, tip]) => tip === commit)?.[0] ?? null;
  await state.emit({
    event: "check_suite",
    repository: fullName,
    by,
    payload: {
      action: "completed",
      check_suite: {
        ...{ id: Number.parseInt(commit.slice(0, 7), 16), head_branch: branch, head_sha: commit },
        ...{ status: "completed", conclusion, app: appOf(state, app), pull_requests: [] },
      },
    },
  });
};

/** As the API shows an App; the rig's own has its id. */
export const appOf = ({ app }: Pick<RigState, "app">, slug: string) => ({
  id: slug === app.slug ? app.id : 15_368,
  slug,
  name: slug,
});
