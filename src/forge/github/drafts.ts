import { z } from "zod";
import { AppError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { ask } from "./github-errors.ts";
import { askGraphql } from "./graphql.ts";
import { inside, type Place } from "./place.ts";

const READY = `mutation Ready($id: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

const TO_DRAFT = `mutation ToDraft($id: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

/** The REST API cannot do this. Where the plan knows no drafts, the pull request stays as it is. */
export const setDraft = async (
  place: Place,
  { number, draft, log }: { number: number; draft: boolean; log: Log },
): Promise<void> => {
  const what = `make pull request ${place.fullName}#${number} ${draft ? "a draft" : "ready for review"}`;
  const now = await draftOf(place, { number, what });
  if (now.draft === draft) return;
  try {
    const query = draft ? TO_DRAFT : READY;
    await askGraphql(place, { what, query, variables: { id: now.id }, schema: z.unknown() });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "forge-refused")) throw error;
    // Somebody else may have been faster.
    if ((await draftOf(place, { number, what })).draft === draft) return;
    if (!draft) throw error;
    log.info(
      { repository: place.fullName, pullRequest: number, error: messageOf(error) },
      "GitHub makes no drafts here",
    );
  }
};

const draftOf = (
  place: Place,
  { number, what }: { number: number; what: string },
): Promise<{ id: string; draft: boolean }> =>
  ask(what, async () => {
    const { data } = await place.octokit.rest.pulls.get({ ...inside(place), pull_number: number });
    return { id: data.node_id, draft: data.draft ?? false };
  });
