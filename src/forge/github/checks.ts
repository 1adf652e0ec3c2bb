import type { Forge } from "../forge.ts";
import { ask } from "./github-errors.ts";
import { inside, type Place } from "./place.ts";

type Check = Parameters<Forge["setCheck"]>[0];

/** What people see and what branch rules name. */
const NAME = "uwf";
/** GitHub takes 65,535 characters. */
const MAX_SUMMARY_CHARS = 60_000;

/** Makes or moves the thread's one check run on a commit. */
export const setCheck = async (place: Place, check: Check): Promise<void> => {
  const what = `set the check of ${check.commit.slice(0, 12)} in ${place.fullName}`;
  const { checks } = place.octokit.rest;
  await ask(what, async () => {
    const request = {
      ...inside(place),
      ref: check.commit,
      check_name: NAME,
      filter: "all" as const,
      per_page: 100,
    };
    const { data } = await checks.listForRef(request);
    const there = data.check_runs.find(({ external_id }) => external_id === check.thread);
    if (there === undefined)
      await checks.create({
        ...inside(place),
        head_sha: check.commit,
        external_id: check.thread,
        ...contentOf(check),
      });
    else await checks.update({ ...inside(place), check_run_id: there.id, ...contentOf(check) });
  });
};

const TITLES: Readonly<Record<Check["status"], string>> = {
  running: "Working",
  success: "Done",
  failure: "Failed",
  neutral: "Waiting",
};

const contentOf = ({ status, summary, url }: Check) => ({
  name: NAME,
  ...(status === "running"
    ? { status: "in_progress" as const }
    : { status: "completed" as const, conclusion: status }),
  ...(url === null ? {} : { details_url: url }),
  output: { title: TITLES[status], summary: summary.slice(0, MAX_SUMMARY_CHARS).toWellFormed() },
});
