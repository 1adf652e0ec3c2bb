import { at } from "../github/api.ts";
import type { Acting } from "./acting.ts";
import { accountOf } from "./render.ts";
import type { CodeComment, Review } from "./world.ts";

export type RigReview = Pick<Review, "id" | "state" | "body" | "commit"> & { author: string };

/** What a review says about a line, with what was answered there. */
export type RigConversation = {
  id: string;
  path: string;
  line: number | null;
  isResolved: boolean;
  comments: { author: string; body: string }[];
};

/** What people do in reviews, and what they see there. */
export type PeopleWithReviews = {
  /** Lines are those of the file as the pull request has it. Answers the conversations that its comments began. */
  review(
    repository: string,
    number: number,
    review: {
      author: string;
      verdict: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
      body?: string;
      comments?: readonly { path: string; line: number; body: string }[];
    },
  ): Promise<{ id: number; conversations: string[] }>;
  reply(
    repository: string,
    number: number,
    answer: { conversation: string; author: string; body: string },
  ): Promise<void>;
  /** People do that on the web alone. */
  resolve(repository: string, number: number, what: { conversation: string; by: string }): Promise<void>;
  /** Oldest first, those of everybody. */
  reviews(repository: string, number: number): Promise<RigReview[]>;
  conversations(repository: string, number: number): Promise<RigConversation[]>;
};

type Kept = { id: string; review: Review; comments: CodeComment[] };

export const peopleWithReviews = ({ world, as, repository }: Acting): PeopleWithReviews => {
  const reviewsOf = (fullName: string, number: number): Review[] =>
    repository(fullName).items.get(number)?.pull?.reviews ?? [];
  const conversationsIn = (reviews: readonly Review[]): Kept[] =>
    reviews.flatMap((review) =>
      [...Map.groupBy(review.comments, ({ path, line }) => `${review.id} ${line} ${path}`)].map(
        ([id, comments]) => ({ id, review, comments }),
      ),
    );
  const conversation = (fullName: string, number: number, id: string): Kept & { first: CodeComment } => {
    const found = conversationsIn(reviewsOf(fullName, number)).find((each) => each.id === id);
    const first = found?.comments[0];
    if (found === undefined || first === undefined) throw new Error(`no conversation ${id}`);
    return { ...found, first };
  };
  return {
    review: async (fullName, number, { author, verdict, body = "", comments = [] }) => {
      const made = await as(author)("POST", `/repos/${fullName}/pulls/${number}/reviews`, {
        event: verdict === "APPROVE" ? "APPROVED" : verdict,
        body,
        comments: comments.map(({ line, ...comment }) => ({ ...comment, new_position: line })),
      });
      const id = Number(at(made, "id"));
      const begun = conversationsIn(reviewsOf(fullName, number).filter((review) => review.id === id));
      return { id, conversations: begun.map((each) => each.id) };
    },
    reply: async (fullName, number, { conversation: id, author, body }) => {
      const { review, first } = conversation(fullName, number, id);
      const place = first.line > 0 ? { new_position: first.line } : { old_position: -first.line };
      const path = `/repos/${fullName}/pulls/${number}/reviews/${review.id}/comments`;
      await as(author)("POST", path, { path: first.path, body, ...place });
    },
    resolve: async (fullName, number, { conversation: id, by }) => {
      conversation(fullName, number, id).first.resolver = accountOf(world, by);
    },
    reviews: async (fullName, number) =>
      reviewsOf(fullName, number).map(({ id, state, body, commit, author }) => ({
        ...{ id, state, body, commit },
        author: author.login,
      })),
    conversations: async (fullName, number) =>
      conversationsIn(reviewsOf(fullName, number)).map(({ id, comments }) => ({
        id,
        path: comments[0]?.path ?? "",
        line: Math.max(0, comments[0]?.line ?? 0) || null,
        isResolved: comments.some(({ resolver }) => resolver !== null),
        comments: comments.map(({ author, body }) => ({ author: author.login, body })),
      })),
  };
};
