import { inputError } from "../../base/errors.ts";
import type { ReviewThread } from "../forge.ts";
import { ask } from "./github-errors.ts";
import type { Bot } from "./identity.ts";
import { inside, type Place } from "./place.ts";

/** The conversations as the REST API has them: comments, each with the first one of its conversation. None is known as resolved. */
export const threadsOfComments = async (
  place: Place,
  { number, bot }: { number: number; bot: Bot },
): Promise<ReviewThread[]> => {
  const { octokit } = place;
  const all = await ask(`read the review comments of ${place.fullName}#${number}`, () =>
    octokit.paginate(octokit.rest.pulls.listReviewComments, {
      ...inside(place),
      pull_number: number,
      per_page: 100,
    }),
  );
  const threads = Map.groupBy(
    all.toSorted((a, b) => a.id - b.id),
    (comment) => comment.in_reply_to_id ?? comment.id,
  );
  return [...threads].flatMap(([id, comments]) => {
    const [first] = comments;
    if (first === undefined) return [];
    return [
      {
        id: String(id),
        path: first.path,
        line: first.line ?? null,
        diffHunk: first.diff_hunk === "" ? null : first.diff_hunk,
        isResolved: false,
        comments: comments.map((comment) => ({
          author: comment.user?.login ?? "ghost",
          isOwn: comment.user?.id === bot.id,
          body: comment.body,
          at: Date.parse(comment.created_at),
        })),
      },
    ];
  });
};

export const replyToReview = async (
  place: Place,
  { number, thread, body }: { number: number; thread: ReviewThread["id"]; body: string },
): Promise<void> => {
  if (!/^[1-9]\d{0,15}$/.test(thread))
    throw inputError("forge-review-thread", `${thread} is no conversation of ${place.fullName}#${number}`);
  await ask(`answer a review of ${place.fullName}#${number}`, () =>
    place.octokit.rest.pulls.createReplyForReviewComment({
      ...inside(place),
      pull_number: number,
      comment_id: Number(thread),
      body,
      // An answer that was lost may have been a success.
      request: { retries: 0 },
    }),
  );
};
