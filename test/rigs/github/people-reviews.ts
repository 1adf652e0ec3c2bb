import type { Acting } from "./acting.ts";
import { at } from "./api.ts";
import { threadId } from "./graphql/root.ts";
import type { Conversation, Review, Reviews } from "./reviews/reviews.ts";

export type RigReview = Pick<Review, "id" | "author" | "state" | "body" | "commit">;

export type RigConversation = Pick<Conversation, "id" | "path" | "line" | "isResolved"> & {
  comments: { author: string; body: string }[];
};

/** What people do in reviews, and what they see there. */
export type PeopleWithReviews = {
  /**
   * Submits a review (`pull_request_review.submitted`). Lines are those of the file as the pull request has it, and have to be shown
   * by its diff. Answers the conversations that its comments began.
   */
  review(
    repository: string,
    number: number,
    review: {
      author: string;
      verdict: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
      body?: string;
      comments?: readonly { path: string; line: number; body: string }[];
    },
  ): Promise<{ id: number; conversations: number[] }>;
  /** Answers in a conversation, which is a review of its own. */
  reply(
    repository: string,
    number: number,
    answer: { conversation: number; author: string; body: string },
  ): Promise<void>;
  resolve(repository: string, number: number, what: { conversation: number; by: string }): Promise<void>;
  /** Oldest first, those of everybody. */
  reviews(repository: string, number: number): Promise<RigReview[]>;
  conversations(repository: string, number: number): Promise<RigConversation[]>;
};

export const peopleWithReviews = ({ as }: Acting, kept: Reviews): PeopleWithReviews => {
  const about =
    (repository: string, number: number) =>
    (each: { fullName: string; number: number }): boolean =>
      each.fullName === repository && each.number === number;
  return {
    review: async (repository, number, { author, verdict, body = "", comments = [] }) => {
      const sided = comments.map((comment) => ({ ...comment, side: "RIGHT" }));
      const made = await as(author)("POST", `/repos/${repository}/pulls/${number}/reviews`, {
        ...{ event: verdict, body, comments: sided },
      });
      const id = Number(at(made, "id"));
      const begun = kept.conversations.filter((each) => each.comments[0]?.review === id);
      return { id, conversations: begun.map((each) => each.id) };
    },
    reply: async (repository, number, { conversation, author, body }) => {
      const path = `/repos/${repository}/pulls/${number}/comments/${conversation}/replies`;
      await as(author)("POST", path, { body });
    },
    resolve: async (_repository, _number, { conversation, by }) => {
      const query =
        "mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { clientMutationId } }";
      const variables = { id: threadId({ id: conversation }) };
      const answer = await as(by)("POST", "/graphql", { query, variables });
      const errors = at(answer, "errors");
      if (errors !== undefined) throw new Error(`not resolved: ${JSON.stringify(errors)}`);
    },
    reviews: async (repository, number) =>
      kept.all
        .filter(about(repository, number))
        .map(({ id, author, state, body, commit }) => ({ id, author, state, body, commit })),
    conversations: async (repository, number) =>
      kept.conversations
        .filter(about(repository, number))
        .map(({ id, path, line, isResolved, comments }) => ({
          ...{ id, path, line, isResolved },
          comments: comments.map(({ author, body }) => ({ author, body })),
        })),
  };
};
