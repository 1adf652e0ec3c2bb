import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { githubError, statusOf } from "./github-errors.ts";
import { inside, type Place } from "./place.ts";

/** GitHub's ways of saying that somebody cannot review here. */
const REFUSALS: readonly (number | undefined)[] = [403, 404, 422];

/**
 * Asks for reviews, best effort: one person whom GitHub refuses makes it refuse the whole request, so everybody is
 * asked alone then. Failures that pass are thrown.
 */
export const requestReviews = async (
  place: Place,
  { number, reviewers, log }: { number: number; reviewers: readonly string[]; log: Log },
): Promise<void> => {
  if (reviewers.length === 0) return;
  if (await wasAsked(place, { number, reviewers, log })) return;
  if (reviewers.length === 1) return;
  for (const reviewer of reviewers) await wasAsked(place, { number, reviewers: [reviewer], log });
};

const wasAsked = async (
  place: Place,
  { number, reviewers, log }: { number: number; reviewers: readonly string[]; log: Log },
): Promise<boolean> => {
  try {
    await place.octokit.rest.pulls.requestReviewers({
      ...inside(place),
      pull_number: number,
      reviewers: [...reviewers],
    });
    return true;
  } catch (error) {
    const isRateLimit = codeOf(githubError(error, "")) === "forge-unavailable";
    if (isRateLimit || !REFUSALS.includes(statusOf(error)))
      throw githubError(error, `ask for reviews of ${place.fullName}#${number}`);
    log.info(
      { repository: place.fullName, pullRequest: number, reviewers, error: messageOf(error) },
      "GitHub does not let these people review",
    );
    return false;
  }
};

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
