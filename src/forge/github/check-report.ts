import type { CheckReport } from "../forge.ts";
import type { Octokit } from "./github-app.ts";
import { ask } from "./github-errors.ts";
import type { Bot } from "./identity.ts";
import { jobLog } from "./job-log.ts";
import { inside, type Place } from "./place.ts";

type Answer<Method extends (...args: never[]) => Promise<{ data: unknown }>> = Awaited<
  ReturnType<Method>
>["data"];
type Run = Answer<Octokit["rest"]["checks"]["listForRef"]>["check_runs"][number];
type Status = Answer<Octokit["rest"]["repos"]["getCombinedStatusForRef"]>["statuses"][number];
type Failed = CheckReport["failed"][number];

const PAGE = 100;
/** More logs than that nobody reads. */
const MOST_LOGS = 10;
const MAX_SUMMARY_CHARS = 20_000;

const FAILED: readonly unknown[] = ["failure", "timed_out", "startup_failure"];
/** `cancelled`, `action_required` and `stale` say neither: somebody has to let the check run again. */
const PASSED: readonly unknown[] = ["success", "neutral", "skipped"];

/** What the check runs and statuses of others say about a commit. `logs`: the place for whoever may read logs. */
export const checksOf = async (
  place: Place,
  { commit, logs, bot }: { commit: string; logs: Place; bot: Bot },
): Promise<CheckReport> => {
  const runs = (await runsOf(place, commit)).filter((run) => !isOwn(run, bot));
  const statuses = await statusesOf(place, commit);
  const failedRuns = runs.filter(({ conclusion }) => FAILED.includes(conclusion));
  const failedStatuses = statuses.filter(({ state }) => state === "failure" || state === "error");
  const isUnderWay =
    runs.some(({ status }) => status !== "completed") || statuses.some(({ state }) => state === "pending");
  if (runs.length + statuses.length === 0) return { state: "none", failed: [] };
  if (isUnderWay) return { state: "pending", failed: [] };
  if (failedRuns.length + failedStatuses.length > 0) {
    const failed: Failed[] = [];
    for (const [index, run] of failedRuns.entries())
      failed.push(await failedRun(place, run, { logs: index < MOST_LOGS ? logs : null }));
    return { state: "failure", failed: [...failed, ...failedStatuses.map(failedStatus)] };
  }
  const havePassed = runs.every(({ conclusion }) => PASSED.includes(conclusion));
  return { state: havePassed ? "success" : "pending", failed: [] };
};

const runsOf = (place: Place, commit: string): Promise<Run[]> =>
  ask(`read the checks of ${commit.slice(0, 12)} in ${place.fullName}`, () =>
    place.octokit.paginate(place.octokit.rest.checks.listForRef, {
      ...inside(place),
      ref: commit,
      filter: "latest",
      per_page: PAGE,
    }),
  );

const statusesOf = (place: Place, commit: string): Promise<Status[]> =>
  ask(`read the statuses of ${commit.slice(0, 12)} in ${place.fullName}`, async () => {
    const all: Status[] = [];
    for (let page = 1; ; page++) {
      const request = { ...inside(place), ref: commit, per_page: PAGE, page };
      const { data } = await place.octokit.rest.repos.getCombinedStatusForRef(request);
      all.push(...data.statuses);
      if (data.statuses.length < PAGE) return all;
    }
  });

/** The bot's user is named after its App. */
const isOwn = ({ app }: Run, { login }: Bot): boolean => `${app?.slug}[bot]` === login;

const failedRun = async (place: Place, run: Run, { logs }: { logs: Place | null }): Promise<Failed> => ({
  name: run.name,
  url: run.html_url ?? run.details_url ?? null,
  summary: [run.output.title, ...(await annotationsOf(place, run)), run.output.summary, run.output.text]
    .filter((part) => part != null && part.trim() !== "")
    .join("\n\n")
    .slice(0, MAX_SUMMARY_CHARS)
    .toWellFormed(),
  log: logs !== null && run.app?.slug === "github-actions" ? await jobLog(logs, run.id) : null,
});

/** What a check says of lines in files, as compilers write it. */
const annotationsOf = async (place: Place, { id, output }: Run): Promise<string[]> => {
  if (output.annotations_count === 0) return [];
  const { data } = await ask(`read what check ${id} in ${place.fullName} says of files`, () =>
    place.octokit.rest.checks.listAnnotations({ ...inside(place), check_run_id: id, per_page: 50 }),
  );
  return [data.map(({ path, start_line, message }) => `${path}:${start_line}: ${message ?? ""}`).join("\n")];
};

const failedStatus = ({ context, target_url, description }: Status): Failed => ({
  name: context,
  url: target_url,
  summary: description ?? "",
  log: null,
});
