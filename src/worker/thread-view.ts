import { z } from "zod";
import type { ThreadId } from "../base/ids.ts";
import { commandNames } from "../forge/text/command-table.ts";
import type { Notice } from "../forge/text/notice.ts";
import type { ThreadView } from "../forge/text/thread-view.ts";
import { addUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import { readRefused } from "../thread/refused-hosts.ts";
import { stepsSpentSince, turnsSpent } from "../thread/spending.ts";
import { chainSpent, unnotedBelow } from "../thread/spent-below.ts";
import { isEnded } from "../thread/state.ts";
import { awaitedBy } from "./awaited.ts";
import { branchUrl, commitUrl } from "./forge-urls.ts";
import { answersIn } from "./output-summary.ts";
import { roleViews } from "./role-views.ts";
import { ownSteps, pushedCommit, type Situation } from "./situation.ts";

/** As the publisher keeps it. */
const PullRequestLink = z.looseObject({
  number: z.int(),
  url: z.string(),
  draft: z.boolean(),
  partial: z.boolean().optional(),
});
const NoticeLink = z.object({ to: z.string(), text: z.string(), calls: z.string().optional() });

/** Everything that people are shown about a thread: whichever process reads it sees the same. */
export const threadView = async (store: Store, situation: Situation, now: number): Promise<ThreadView> => {
  const { record, history, links } = situation;
  const { start } = history;
  const below = await unnotedBelow(store, { id: record.id, chain: situation });
  return {
    thread: record.id,
    workflow: record.workflow,
    state: record.status,
    reason: record.reason,
    awaits: await awaitedBy(store, situation, now),
    requester: start.source?.requester?.login ?? null,
    trigger: start.trigger ?? null,
    leftOut: start.leftOut ?? {},
    notice: noticeOf(links),
    on: start.source?.pullRequest === undefined ? "issues" : "pull requests",
    roles: await roleViews(situation),
    ...published(situation),
    refused: readRefused(links["refused-hosts"]),
    unpublished: await unpublishedFiles(store, situation),
    forkOf: (links.fork as ThreadId | undefined) ?? null,
    usage: addUsage(chainSpent(situation), below),
    ms: (isEnded(record.status) ? record.updatedAt : now) - record.createdAt,
    budget: await budgetOf(store, situation, below),
    commands: commandNames.filter((name) => !(start.settings?.commandsOff ?? []).includes(name)),
  };
};

const noticeOf = ({ notice }: Situation["links"]): Notice | null =>
  notice === undefined || notice === "" ? null : NoticeLink.parse(JSON.parse(notice));

const published = (
  situation: Situation,
): Pick<ThreadView, "branch" | "pullRequest" | "commit" | "answered" | "reviewed"> => {
  const { links, history } = situation;
  const { source, settings } = history.start;
  const pull =
    links["pull-request"] === undefined ? null : PullRequestLink.parse(JSON.parse(links["pull-request"]));
  // A fork's draft, and one of work that stopped half-way, are a person's to make ready.
  const isForChecks = links.fork === undefined && pull?.partial !== true;
  const until =
    isForChecks && (settings?.draft ?? "until-tests-pass") === "until-tests-pass"
      ? "until-checks-pass"
      : "yes";
  // A fork's work is beside the pull request that it began on.
  const isOnPull = source?.pullRequest !== undefined && links.fork === undefined;
  const commit = isOnPull ? pushedCommit(situation) : null;
  const last = ownSteps(situation).findLast(({ step }) => step.published !== null);
  const linked = (at: string | null) =>
    at === null ? null : { name: at.slice(0, 12), url: commitUrl(source, at) };
  const answered = last === undefined || !isOnPull ? 0 : answersIn(last.output).length;
  // What is published on a pull request without a commit or an answer is a review.
  const isReview = isOnPull && commit === null && answered === 0;
  return {
    branch: links.branch === undefined ? null : { name: links.branch, url: branchUrl(source, links.branch) },
    pullRequest:
      pull === null ? null : { number: pull.number, url: pull.url, draft: pull.draft ? until : "no" },
    commit: linked(commit),
    answered,
    reviewed: linked(isReview ? (last?.step.published?.commit ?? null) : null),
  };
};

/** Files are looked for only where nothing says that they were published. */
const unpublishedFiles = async (
  store: Store,
  { record, history: { steps }, links }: Situation,
): Promise<number> => {
  const workspace = steps.at(-1)?.step.workspace ?? null;
  const isPublished =
    links.branch !== undefined ||
    links.commit !== undefined ||
    steps.some(({ step }) => step.published !== null);
  if (record.status !== "completed" || workspace === null || isPublished) return 0;
  return (await store.load("workspace", workspace)).files.length;
};

const budgetOf = async (
  store: Store,
  { record, history, turns }: Situation,
  below: Usage,
): Promise<ThreadView["budget"]> => {
  const limitUsd = history.start.limits.budgetUsd;
  if (limitUsd === null) return null;
  const steps = await stepsSpentSince(store, history, record.grantedAt);
  const here = addUsage(steps, turnsSpent(turns, record.grantedAt).usage);
  const { costUsd } = addUsage(here, below);
  return costUsd === null ? null : { spentUsd: costUsd, limitUsd };
};
