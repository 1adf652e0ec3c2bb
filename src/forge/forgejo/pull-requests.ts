import type { Log } from "../../base/log.ts";
import type { PullRequest, PullRequestDraft } from "../forge.ts";
import { titleOf } from "./draft-title.ts";
import { statusOf } from "./forgejo-errors.ts";
import type { Place } from "./place.ts";
import { PullRequestAnswer, pullRequestOf } from "./pull-request.ts";
import { requestReviews } from "./review-requests.ts";
import type { User } from "./user.ts";

export const readPullRequest = (
  { client, root, fullName }: Place,
  number: number,
): Promise<PullRequestAnswer> =>
  client.read(
    { what: `read pull request ${fullName}#${number}`, path: [...root, "pulls", number] },
    PullRequestAnswer,
  );

/** The bot's newest pull request from `branch`, open or closed. */
export const findPullRequest = async (
  place: Place,
  { branch, bot }: { branch: string; bot: User },
): Promise<PullRequest | undefined> => {
  for await (const page of pullRequestsOf(place, { bot, state: "all" })) {
    const [newest] = page
      .filter(({ head, user }) => head.label === branch && user?.id === bot.id)
      .sort((a, b) => b.number - a.number);
    if (newest !== undefined) return pullRequestOf(newest);
  }
  return undefined;
};

/** Opens the pull request, or answers the open one that the branch has already; asks for reviews either way. */
export const createPullRequest = async (
  place: Place,
  { draft, bot, log }: { draft: PullRequestDraft; bot: User; log: Log },
): Promise<PullRequest> => {
  const made = pullRequestOf(await createOrFind(place, { draft, bot }));
  await requestReviews(place, { number: made.number, reviewers: draft.reviewers, log });
  return made;
};

/** A new title leaves a draft a draft. */
export const updatePullRequest = async (
  place: Place,
  { number, title, body }: { number: number; title?: string; body?: string },
): Promise<void> => {
  const draft = title === undefined ? false : pullRequestOf(await readPullRequest(place, number)).draft;
  await edit(place, number, {
    ...(title === undefined ? {} : { title: titleOf(title, { draft }) }),
    ...(body === undefined ? {} : { body }),
  });
};

export const setDraft = async (
  place: Place,
  { number, draft }: { number: number; draft: boolean },
): Promise<void> => {
  const there = await readPullRequest(place, number);
  if (pullRequestOf(there).draft === draft) return;
  await edit(place, number, { title: titleOf(there.title, { draft }) });
};

const edit = ({ client, root, fullName }: Place, number: number, change: object): Promise<void> =>
  client.send({
    what: `edit pull request ${fullName}#${number}`,
    method: "PATCH",
    path: [...root, "pulls", number],
    body: change,
  });

/** Forgejo refuses a second pull request between two branches as a conflict. */
const createOrFind = async (
  place: Place,
  { draft, bot }: { draft: PullRequestDraft; bot: User },
): Promise<PullRequestAnswer> => {
  try {
    return await create(place, draft);
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    for await (const page of pullRequestsOf(place, { bot, state: "open" })) {
      const there = page.find(({ head, base }) => head.label === draft.branch && base.ref === draft.base);
      if (there !== undefined) return there;
    }
    throw error;
  }
};

const create = async (
  { client, root, fullName }: Place,
  { branch, base, title, body, draft }: PullRequestDraft,
): Promise<PullRequestAnswer> =>
  client.read(
    {
      what: `open a pull request from ${branch} in ${fullName}`,
      method: "POST",
      path: [...root, "pulls"],
      body: { head: branch, base, title: titleOf(title, { draft }), body },
    },
    PullRequestAnswer,
  );

/** Newest first. One that Forgejo cannot read it answers as null. */
const pullRequestsOf = async function* (
  { client, root, fullName }: Place,
  { bot, state }: { bot: User; state: "open" | "all" },
): AsyncGenerator<PullRequestAnswer[]> {
  const request = {
    what: `look for pull requests in ${fullName}`,
    path: [...root, "pulls"],
    query: { state, poster: bot.login },
    end: "told" as const,
  };
  for await (const page of client.pages(request, PullRequestAnswer.nullable()))
    yield page.filter((item) => item !== null);
};
