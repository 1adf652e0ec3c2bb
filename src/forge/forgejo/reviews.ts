import { z } from "zod";
import { AppError } from "../../base/errors.ts";
import type { NewReview } from "../forge.ts";
import { bodyWithComments } from "../text/review-body.ts";
import type { Place } from "./place.ts";
import { User } from "./user.ts";

const Review = z.object({
  id: z.int(),
  state: z.string(),
  body: z.string().nullish(),
  comments_count: z.int(),
  user: User.nullish(),
});

/** Every review of a pull request, requests for one among them. */
export const reviewsOf = async function* (
  { client, root, fullName }: Place,
  number: number,
): AsyncGenerator<z.output<typeof Review>> {
  const what = `read the reviews of ${fullName}#${number}`;
  const path = [...root, "pulls", number, "reviews"];
  for await (const page of client.pages({ what, path, end: "told" }, Review)) yield* page;
};

export const hasReview = async (
  place: Place,
  { number, marker, bot }: { number: number; marker: string; bot: User },
): Promise<boolean> => {
  for await (const { user, body } of reviewsOf(place, number))
    if (user?.id === bot.id && body?.includes(marker)) return true;
  return false;
};

/** Where Forgejo refuses a line, all lines are told in the body. */
export const createReview = async (
  place: Place,
  { number, review }: { number: number; review: NewReview },
): Promise<void> => {
  try {
    await write(place, { number, review });
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === "forge-refused";
    if (!isRefused || review.comments.length === 0) throw error;
    const body = bodyWithComments(review.body, review.comments);
    await write(place, { number, review: { ...review, body, comments: [] } });
  }
};

const write = (
  { client, root, fullName }: Place,
  { number, review }: { number: number; review: NewReview },
): Promise<void> =>
  client.send({
    what: `review ${fullName}#${number}`,
    method: "POST",
    path: [...root, "pulls", number, "reviews"],
    body: {
      event: "COMMENT",
      commit_id: review.commit,
      body: review.body,
      comments: review.comments.map(({ path, line, body }) => ({ path, body, new_position: line })),
    },
  });
