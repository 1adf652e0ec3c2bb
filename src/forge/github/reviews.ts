import type { NewReview } from "../forge.ts";
import { bodyWithComments } from "../text/review-body.ts";
import { shownLines } from "./diff-lines.ts";
import { ask, githubError, statusOf } from "./github-errors.ts";
import type { Bot } from "./identity.ts";
import { inside, type Place } from "./place.ts";

/** GitHub takes 65,536. */
const MAX_BODY_CHARS = 65_000;

type Comment = NewReview["comments"][number];
type Asked = { number: number; review: NewReview };

export const hasReview = (
  place: Place,
  { number, marker, bot }: { number: number; marker: string; bot: Bot },
): Promise<boolean> =>
  ask(`read the reviews of ${place.fullName}#${number}`, async () => {
    const { octokit } = place;
    const request = { ...inside(place), pull_number: number, per_page: 100 };
    for await (const { data } of octokit.paginate.iterator(octokit.rest.pulls.listReviews, request))
      if (data.some(({ user, body }) => user?.id === bot.id && body?.includes(marker))) return true;
    return false;
  });

/**
 * GitHub refuses a whole review for one comment on a line that the pull request's diff does not show, and does not say which. Such comments
 * go into the body then; when it still refuses, all of them.
 */
export const createReview = async (place: Place, { number, review }: Asked): Promise<void> => {
  const what = `review ${place.fullName}#${number}`;
  if (review.comments.length > 0) {
    if (await wasTaken(place, { number, review, what })) return;
    const placed = await withPlacedComments(place, { number, review });
    if (placed.comments.length > 0 && placed.comments.length < review.comments.length)
      if (await wasTaken(place, { number, review: placed, what })) return;
  }
  await ask(what, () => write(place, { number, review: inBody(review, () => true) }));
};

const wasTaken = async (place: Place, { what, ...asked }: Asked & { what: string }): Promise<boolean> => {
  try {
    await write(place, asked);
    return true;
  } catch (error) {
    if (statusOf(error) === 422) return false;
    throw githubError(error, what);
  }
};

const write = (place: Place, { number, review }: Asked) =>
  place.octokit.rest.pulls.createReview({
    ...inside(place),
    pull_number: number,
    event: "COMMENT",
    commit_id: review.commit,
    body: review.body.slice(0, MAX_BODY_CHARS).toWellFormed(),
    comments: review.comments.map((comment) => ({ ...comment, side: "RIGHT" })),
    // An answer that was lost may have been a success: the caller looks for its review before it tries again.
    request: { retries: 0 },
  });

const withPlacedComments = async (place: Place, { number, review }: Asked): Promise<NewReview> => {
  const { octokit } = place;
  const request = { ...inside(place), pull_number: number, per_page: 100 };
  const files = await ask(`read the changes of ${place.fullName}#${number}`, () =>
    octokit.paginate(octokit.rest.pulls.listFiles, request),
  );
  const lines = new Map(files.map(({ filename, patch }) => [filename, shownLines(patch ?? "")]));
  return inBody(review, ({ path, line }) => lines.get(path)?.has(line) !== true);
};

/** The review with those comments in its body that `isOut` picks. */
const inBody = (review: NewReview, isOut: (comment: Comment) => boolean): NewReview => ({
  ...review,
  body: bodyWithComments(review.body, review.comments.filter(isOut)),
  comments: review.comments.filter((comment) => !isOut(comment)),
});
