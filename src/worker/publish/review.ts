import { inputError } from "../../base/errors.ts";
import { saidMarker } from "../../forge/text/marker.ts";
import { neutralize } from "../../forge/text/neutralize.ts";
import type { Publication, Published } from "../../thread/publisher.ts";
import type { PublisherParts, Target } from "./parts.ts";
import { ReviewSubmission, submissionOf } from "./submission.ts";

const MAX_COMMENT_CHARS = 4_000;

/**
 * Writes a review of the pull request that the thread has read, once, about the very commit that it has read. Throws
 * `review-nowhere` and `pull-request-closed` (fix-input).
 */
export const publishReview = async (
  { store }: PublisherParts,
  publication: Publication,
  { source, on }: Target,
): Promise<Published> => {
  const { body, comments } = submissionOf(publication, { schema: ReviewSubmission, needs: "a body" });
  const { pullRequest } = source;
  if (on === null || pullRequest === undefined)
    throw inputError("review-nowhere", "The thread is about no pull request: there is nothing to review.");
  const { thread, history, workspace, signal, confirm } = publication;
  const { forge } = on;
  const { base } = await store.load("workspace", workspace);
  const pull = await forge.pullRequest(pullRequest.number);
  const marker = saidMarker(thread, history.steps.length + 1);
  const text = neutralize(body);
  const published = {
    branch: pullRequest.branch,
    commit: base,
    url: pull.url,
    title: `Review of #${pull.number}`,
    body: text,
  };
  if (await forge.hasReview(pull.number, marker)) return published;
  if (pull.state !== "open")
    throw inputError(
      "pull-request-closed",
      `Pull request #${pull.number} is closed by now: it needs no review.`,
    );
  signal.throwIfAborted();
  await confirm();
  await forge.createReview(pull.number, {
    commit: base,
    body: `${text}\n\n${marker}`,
    comments: comments.map(({ path, line, text: comment }) => ({
      path,
      line,
      body: neutralize(comment, { maxChars: MAX_COMMENT_CHARS }),
    })),
  });
  return published;
};
