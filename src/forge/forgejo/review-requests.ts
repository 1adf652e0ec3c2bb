import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { statusOf } from "./forgejo-errors.ts";
import type { Place } from "./place.ts";

/** Forgejo's ways of saying that somebody cannot review here. */
const REFUSALS: readonly (number | undefined)[] = [403, 404, 422];

/** Asks each alone, best effort: one person whom Forgejo refuses makes it refuse the whole request. Failures that pass are thrown. */
export const requestReviews = async (
  { client, root, fullName }: Place,
  { number, reviewers, log }: { number: number; reviewers: readonly string[]; log: Log },
): Promise<void> => {
  for (const reviewer of reviewers) {
    try {
      await client.send({
        what: `ask ${reviewer} for a review of ${fullName}#${number}`,
        method: "POST",
        path: [...root, "pulls", number, "requested_reviewers"],
        body: { reviewers: [reviewer] },
      });
    } catch (error) {
      if (!REFUSALS.includes(statusOf(error))) throw error;
      log.info(
        { repository: fullName, pullRequest: number, reviewer, error: messageOf(error) },
        "Forgejo does not let this person review",
      );
    }
  }
};
