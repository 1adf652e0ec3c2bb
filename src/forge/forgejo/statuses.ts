import { z } from "zod";
import type { CheckReport, Forge } from "../forge.ts";
import type { Place } from "./place.ts";

/** What people see and what branch rules name. */
const CONTEXT = "uwf";
const MAX_DESCRIPTION_CHARS = 255;

const Status = z.object({
  context: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

/** Of each context the newest. */
const Combined = z.object({ statuses: z.array(Status).nullish() });

/** Pages of combined statuses: no commit has more contexts. */
const MOST_PAGES = 20;
const PAGE = 50;

/** What others say about a commit. Forgejo has no logs for its API to give. */
export const checksOf = async (
  place: Place,
  { commit, url }: { commit: string; url: string },
): Promise<CheckReport> => {
  const statuses = (await statusesOf(place, commit)).filter(({ context }) => context !== CONTEXT);
  const failed = statuses.filter(({ status }) => status === "failure" || status === "error");
  return {
    state: stateOf(statuses, failed),
    failed: failed.map(({ context, description, target_url }) => ({
      name: context,
      url: target_url ? absolute(target_url, url) : null,
      summary: description ?? "",
      log: null,
    })),
  };
};

const FINISHED: ReadonlySet<string> = new Set(["success", "warning", "skipped", "failure", "error"]);

const stateOf = (
  all: readonly z.output<typeof Status>[],
  failed: readonly z.output<typeof Status>[],
): CheckReport["state"] => {
  if (all.length === 0) return "none";
  if (all.some(({ status }) => !FINISHED.has(status))) return "pending";
  return failed.length > 0 ? "failure" : "success";
};

const statusesOf = async (
  { client, root, fullName }: Place,
  commit: string,
): Promise<z.output<typeof Status>[]> => {
  const what = `read the statuses of ${commit.slice(0, 12)} in ${fullName}`;
  const path = [...root, "commits", commit, "status"];
  const all = new Map<string, z.output<typeof Status>>();
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { statuses } = await client.read({ what, path, query: { page, limit: PAGE } }, Combined);
    const before = all.size;
    for (const status of statuses ?? []) if (!all.has(status.context)) all.set(status.context, status);
    if (all.size === before) break;
  }
  return [...all.values()];
};

/** Forgejo's own Actions name their pages without the server. */
const absolute = (target: string, url: string): string | null => URL.parse(target, url)?.href ?? null;

const STATES: Readonly<Record<Parameters<Forge["setCheck"]>[0]["status"], string>> = {
  running: "pending",
  success: "success",
  failure: "failure",
  neutral: "warning",
};

/** Sets the bot's one status of a commit. */
export const setCheck = (
  { client, root, fullName }: Place,
  { commit, status, summary, url }: Parameters<Forge["setCheck"]>[0],
): Promise<void> =>
  client.send({
    what: `set the status of ${commit.slice(0, 12)} in ${fullName}`,
    method: "POST",
    path: [...root, "statuses", commit],
    body: {
      context: CONTEXT,
      state: STATES[status],
      description: firstLine(summary),
      ...(url === null ? {} : { target_url: url }),
    },
  });

const firstLine = (summary: string): string =>
  (summary.trim().split("\n")[0] ?? "").slice(0, MAX_DESCRIPTION_CHARS).toWellFormed();
