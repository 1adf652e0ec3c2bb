import { z } from "zod";
import { inputError } from "../../base/errors.ts";
import type { ReviewThread } from "../forge.ts";
import type { Place } from "./place.ts";
import { reviewsOf } from "./reviews.ts";
import { GHOST, User } from "./user.ts";

const Comment = z.object({
  id: z.int(),
  path: z.string(),
  /** The line in the file as the pull request has it; 0 for a line that it takes away. */
  position: z.int().nullish(),
  /** The line in the file before; 0 for a line of the new file. */
  original_position: z.int().nullish(),
  diff_hunk: z.string().nullish(),
  body: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  user: User.nullish(),
  resolver: User.nullish(),
});
type Comment = z.output<typeof Comment>;

/**
 * Forgejo has no conversations of its own: one is what a review says about a line, and what others answered there. The oldest
 * first.
 */
export const reviewThreads = async (
  place: Place,
  { number, bot }: { number: number; bot: User },
): Promise<ReviewThread[]> => {
  const threads: ReviewThread[] = [];
  for await (const review of reviewsOf(place, number)) {
    if (review.comments_count === 0 || review.state === "PENDING") continue;
    const comments = await commentsOf(place, { number, review: review.id });
    const lines = Map.groupBy(comments, (comment) => idOf(review.id, comment));
    threads.push(...[...lines].map(([id, said]) => threadOf(id, { said, bot })));
  }
  return threads.sort((a, b) => (a.comments[0]?.at ?? 0) - (b.comments[0]?.at ?? 0));
};

/** An answer belongs to the review that it answers. */
export const replyToReview = (
  { client, root, fullName }: Place,
  { number, thread, body }: { number: number; thread: string; body: string },
): Promise<void> => {
  const [, review = "", side = "", line = "", path = ""] = /^(\d+)\/([+-])(\d+)\/(.+)$/s.exec(thread) ?? [];
  if (path === "")
    throw inputError("forge-review-thread", `${thread} is no conversation of ${fullName}#${number}`);
  return client.send({
    what: `answer a review of ${fullName}#${number}`,
    method: "POST",
    path: [...root, "pulls", number, "reviews", review, "comments"],
    body: { path, body, [side === "+" ? "new_position" : "old_position"]: Number(line) },
  });
};

const commentsOf = async (
  { client, root, fullName }: Place,
  { number, review }: { number: number; review: number },
): Promise<Comment[]> => {
  const path = [...root, "pulls", number, "reviews", review, "comments"];
  const what = `read review ${review} of ${fullName}#${number}`;
  return (await client.read({ what, path }, Comment.array().nullable())) ?? [];
};

const idOf = (review: number, { position, original_position, path }: Comment): string =>
  `${review}/${position ? `+${position}` : `-${original_position ?? 0}`}/${path}`;

const threadOf = (id: string, { said, bot }: { said: readonly Comment[]; bot: User }): ReviewThread => {
  const comments = said.toSorted((a, b) => a.id - b.id);
  const [first] = comments;
  return {
    id,
    path: first?.path ?? "",
    line: first?.position || null,
    diffHunk: first?.diff_hunk || null,
    isResolved: comments.some(({ resolver }) => resolver != null),
    comments: comments.map(({ user, body, created_at }) => ({
      author: user?.login ?? GHOST,
      isOwn: user?.id === bot.id,
      body,
      at: Date.parse(created_at),
    })),
  };
};
