import type { EventIssue } from "../../forge/events.ts";
import type { PullRequestDetails } from "../../forge/forge.ts";
import type { Source } from "../../store/payload.ts";
import type { Asked } from "../parts.ts";

/** The pull request as what a thread works on; a text for people when it cannot be worked on. */
export const pullRequestSource = async (
  asked: Asked,
  number: number,
): Promise<NonNullable<Source["pullRequest"]> | string> => {
  const pull = await asked.forge.pullRequest(number);
  return notWorkable(pull, asked) ?? sourceOf(pull, asked);
};

const MERGED = "This pull request is merged. `/solve` on an issue starts new work.";

/** Why there is nothing to work on any more where it is closed or merged, for people; null while it is open. */
export const whyClosed = async (
  { forge }: Pick<Asked, "forge">,
  { number, state, isPullRequest }: Pick<EventIssue, "number" | "state" | "isPullRequest">,
): Promise<string | null> => {
  if (state === "open") return null;
  if (isPullRequest && (await forge.pullRequest(number)).merged) return MERGED;
  return `This ${isPullRequest ? "pull request" : "issue"} is closed. Open it again first.`;
};

export const sourceOf = (pull: PullRequestDetails, { place }: Asked): NonNullable<Source["pullRequest"]> => ({
  number: pull.number,
  branch: pull.branch,
  repository: pull.head.repository ?? place.repository,
});

/** Why nothing can be pushed to its branch, for people; null when something can. */
export const notWorkable = (pull: PullRequestDetails, { place }: Asked): string | null => {
  if (pull.merged) return MERGED;
  if (pull.state !== "open") return "This pull request is closed. Open it again first, or ask on the issue.";
  if (!pull.isOwn)
    return "I push only to branches of pull requests that I have opened. `/review` works on this one.";
  if (pull.head.repository?.toLowerCase() !== place.repository.toLowerCase())
    return "Its branch is not in this repository, so I cannot push to it.";
  return null;
};
