import { isObject } from "../../../../src/base/json.ts";
import { actorIn } from "../access.ts";
import { at } from "../api.ts";
import { json, parsed, type RigResponse } from "../http.ts";
import { paged } from "../paging.ts";
import { inRepository, type Rule, type RuleContext } from "../rule.ts";
import { appOf, type ForeignChecks, type ForeignRun, latest, tellSuite } from "./foreign-checks.ts";

const COMMIT = "/commits/(?<commit>[0-9a-f]{40})";

/** Checks and statuses of a commit: the emulator's, which are the bot's, and those of others. */
export const checkRules = (
  checks: ForeignChecks,
  logs: { urlOf(run: ForeignRun): string },
): readonly Rule[] => {
  const isOn = ({ params }: RuleContext) => {
    const { fullName, commit } = params;
    return (each: { fullName: string; commit: string }) =>
      each.fullName === fullName && each.commit === commit;
  };

  const runsOfCommit: Rule = {
    method: "GET",
    path: inRepository(`${COMMIT}/check-runs`),
    answer: async (context) => {
      const response = await context.forward();
      if (response.status !== 200) return response;
      const own = at(parsed(response), "check_runs");
      const ofOthers = checks.runs.filter(isOn(context)).map((run) => shownRun(context, run));
      const query = new URLSearchParams(context.request.query);
      const named = [...withApp(context, own), ...ofOthers].filter(
        ({ name }) => query.get("check_name") === null || name === query.get("check_name"),
      );
      const asked = query.get("filter") === "all" ? named : latest(named);
      return paged(context, asked, (page) => ({ total_count: asked.length, check_runs: page }));
    },
  };

  const annotations: Rule = {
    method: "GET",
    path: inRepository("/check-runs/(?<run>\\d+)/annotations"),
    answer: async (context) => {
      const run = checks.runs.find(({ id }) => id === Number(context.params.run));
      if (run === undefined) return context.forward();
      const actor = actorIn(context, run.fullName, { permission: "checks", level: "read" });
      if (typeof actor !== "string") return actor;
      const shown = run.annotations.map(({ path, line, message }) => ({
        ...{ path, start_line: line, end_line: line, message },
        ...{ annotation_level: "failure", title: null, raw_details: null },
      }));
      return paged(context, shown);
    },
  };

  const log: Rule = {
    method: "GET",
    path: inRepository("/actions/jobs/(?<job>\\d+)/logs"),
    answer: async (context) => {
      const { fullName = "", job } = context.params;
      const actor = actorIn(context, fullName, { permission: "actions", level: "read" });
      if (typeof actor !== "string") return actor;
      const run = checks.runs.find(({ id, app }) => id === Number(job) && app === "github-actions");
      if (run === undefined) return json(404, { message: "Not Found" });
      if (run.log === null) return json(410, { message: "Gone" });
      return { status: 302, headers: { location: logs.urlOf(run) }, body: Buffer.alloc(0) };
    },
  };

  const statuses: Rule = {
    method: "GET",
    path: inRepository(`${COMMIT}/status`),
    answer: async (context) => {
      const actor = actorIn(context, context.params.fullName ?? "", {
        permission: "statuses",
        level: "read",
      });
      if (typeof actor !== "string") return actor;
      const newest = new Map(checks.statuses.filter(isOn(context)).map((each) => [each.context, each]));
      const shown = [...newest.values()].map(({ url, commit: _, fullName: __, ...status }) => ({
        ...status,
        target_url: url,
      }));
      return paged(context, shown, (page) => ({
        state: combined(shown),
        sha: context.params.commit,
        total_count: shown.length,
        statuses: page,
      }));
    },
  };

  return [runsOfCommit, annotations, log, statuses, ...ownRuns];
};

const combined = (statuses: readonly { state: string }[]): string => {
  if (statuses.some(({ state }) => state === "failure" || state === "error")) return "failure";
  return statuses.length > 0 && statuses.every(({ state }) => state === "success") ? "success" : "pending";
};

/** When the App's own check finishes, its own suite has, and it is told like everybody. */
const afterOwnRun = async (context: RuleContext): Promise<RigResponse> => {
  const response = await context.forward();
  const run = parsed(response);
  if (response.status < 300 && at(run, "status") === "completed") {
    const { app, botLogin } = context;
    const about = { fullName: context.params.fullName ?? "", commit: String(at(run, "head_sha")) };
    await tellSuite(context, {
      ...about,
      app: app.slug,
      conclusion: String(at(run, "conclusion")),
      by: botLogin,
    });
  }
  return response;
};

const ownRuns: readonly Rule[] = [
  { method: "POST", path: inRepository("/check-runs"), answer: afterOwnRun },
  { method: "PATCH", path: inRepository("/check-runs/\\d+"), answer: afterOwnRun },
];

type ShownRun = Record<string, unknown> & { name: string; app: object };

const withApp = (context: RuleContext, runs: unknown): ShownRun[] =>
  (Array.isArray(runs) ? runs : [])
    .filter(isObject)
    .map((run) => ({ ...run, name: String(run.name), app: appOf(context, context.app.slug) }));

const shownRun = (context: RuleContext, run: ForeignRun): ShownRun => ({
  id: run.id,
  name: run.name,
  head_sha: run.commit,
  external_id: "",
  status: run.status,
  conclusion: run.conclusion,
  html_url: `${context.origin}/${run.fullName}/runs/${run.id}`,
  details_url: `${context.origin}/${run.fullName}/runs/${run.id}`,
  output: {
    ...{ title: run.title, summary: run.summary, text: null },
    annotations_count: run.annotations.length,
  },
  app: appOf(context, run.app),
});
