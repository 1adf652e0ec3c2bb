import { z } from "zod";
import type { PullRequest, PullRequestDetails } from "../forge.ts";
import { isDraftTitle, plainTitle } from "./draft-title.ts";
import { GHOST, User } from "./user.ts";

const Repository = z.object({ full_name: z.string() });

/** A pull request as Forgejo answers it. */
export const PullRequestAnswer = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  user: User.nullish(),
  // `ref` is the branch only while it is there; `label` always.
  head: z.object({ label: z.string(), sha: z.string(), repo: Repository.nullish() }),
  base: z.object({ ref: z.string() }),
});
export type PullRequestAnswer = z.output<typeof PullRequestAnswer>;

export const pullRequestOf = (data: PullRequestAnswer): PullRequest => ({
  number: data.number,
  url: data.html_url,
  branch: data.head.label,
  draft: data.draft ?? isDraftTitle(data.title),
  state: data.state,
});

/** With the title as it was given, without what makes it a draft's. */
export const detailsOf = (data: PullRequestAnswer, bot: User): PullRequestDetails => {
  const pullRequest = pullRequestOf(data);
  return {
    ...pullRequest,
    title: pullRequest.draft ? plainTitle(data.title) : data.title,
    body: data.body ?? "",
    author: data.user?.login ?? GHOST,
    isOwn: data.user?.id === bot.id,
    merged: data.merged ?? false,
    base: data.base.ref,
    head: { commit: data.head.sha, repository: data.head.repo?.full_name ?? null },
  };
};
