import type { Log } from "../../base/log.ts";
import type { PullRequest, PullRequestDetails, PullRequestDraft } from "../forge.ts";
import { ask, githubError, statusOf } from "./github-errors.ts";
import type { Bot } from "./identity.ts";
import { inside, type Place } from "./place.ts";
import { requestReviews } from "./review-requests.ts";

type Found = PullRequest & { authorId: number | null };

/** The bot's newest pull request from `branch`, open or closed. */
export const findPullRequest = async (
  place: Place,
  { branch, bot }: { branch: string; bot: Bot },
): Promise<PullRequest | undefined> => {
  const all = await pullRequestsFrom(place, { branch, state: "all" });
  const own = all.find(({ authorId }) => authorId === bot.id);
  return own === undefined ? undefined : withoutAuthor(own);
};

/** Opens the pull request, or answers the open one that the branch has already; asks for reviews either way. */
export const createPullRequest = async (
  place: Place,
  { draft, log }: { draft: PullRequestDraft; log: Log },
): Promise<PullRequest> => {
  const pullRequest = await openPullRequest(place, draft);
  await requestReviews(place, { number: pullRequest.number, reviewers: draft.reviewers, log });
  return pullRequest;
};

/** The pull request as it is now. */
export const pullRequestOf = async (
  place: Place,
  { number, bot }: { number: number; bot: Bot },
): Promise<PullRequestDetails> => {
  const { data } = await ask(`read pull request ${place.fullName}#${number}`, () =>
    place.octokit.rest.pulls.get({ ...inside(place), pull_number: number }),
  );
  return {
    ...summaryOf(data),
    title: data.title,
    body: data.body ?? "",
    author: data.user?.login ?? "ghost",
    isOwn: data.user?.id === bot.id,
    merged: data.merged,
    base: data.base.ref,
    head: { commit: data.head.sha, repository: data.head.repo?.full_name ?? null },
  };
};

export const updatePullRequest = async (
  place: Place,
  { number, change }: { number: number; change: Partial<Pick<PullRequestDraft, "title" | "body">> },
): Promise<void> => {
  await ask(`edit pull request ${place.fullName}#${number}`, () =>
    place.octokit.rest.pulls.update({ ...inside(place), pull_number: number, ...change }),
  );
};

const openPullRequest = async (place: Place, draft: PullRequestDraft): Promise<PullRequest> => {
  const { branch, base, title, body } = draft;
  const create = (asDraft: PullRequestDraft["draft"]) =>
    place.octokit.rest.pulls.create({ ...inside(place), head: branch, base, title, body, draft: asDraft });
  const what = `open a pull request from ${branch} in ${place.fullName}`;
  try {
    return summaryOf((await create(draft.draft)).data);
  } catch (error) {
    if (statusOf(error) !== 422) throw githubError(error, what);
    const open = await pullRequestsFrom(place, { branch, state: "open" });
    const there = open.find((candidate) => candidate.base === base);
    if (there !== undefined) return withoutAuthor(there);
    // Plans without drafts refuse them with the same status as everything else.
    if (!draft.draft) throw githubError(error, what);
    return summaryOf((await ask(what, () => create(false))).data);
  }
};

/** Newest first. */
const pullRequestsFrom = async (
  place: Place,
  { branch, state }: { branch: string; state: "open" | "all" },
): Promise<(Found & { base: string })[]> => {
  const { data } = await ask(`look for pull requests from ${branch} in ${place.fullName}`, () =>
    place.octokit.rest.pulls.list({
      ...inside(place),
      head: `${place.owner}:${branch}`,
      state,
      sort: "created",
      direction: "desc",
      per_page: 100,
    }),
  );
  return data
    .filter(({ head }) => head.ref === branch)
    .map((item) => ({ ...summaryOf(item), authorId: item.user?.id ?? null, base: item.base.ref }));
};

const summaryOf = (data: {
  number: number;
  html_url: string;
  head: { ref: string };
  draft?: boolean;
  state: string;
}): PullRequest => ({
  number: data.number,
  url: data.html_url,
  branch: data.head.ref,
  draft: data.draft ?? false,
  state: data.state === "closed" ? "closed" : "open",
});

const withoutAuthor = ({ number, url, branch, draft, state }: Found): PullRequest => ({
  number,
  url,
  branch,
  draft,
  state,
});
