import { diffOf, type FileDiff, hunkUpTo, movedLine } from "../diff.ts";
import type { RigPull } from "../pulls.ts";
import type { RigState } from "../rule.ts";

export type Review = {
  id: number;
  fullName: string;
  number: number;
  author: string;
  state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
  body: string;
  commit: string;
  at: string;
};

export type ReviewComment = { id: number; review: number; author: string; body: string; at: string };

/** A conversation; its first comment's id is its own. */
export type Conversation = {
  id: number;
  fullName: string;
  number: number;
  path: string;
  /** As the commit had it; null: the whole file. */
  line: number | null;
  commit: string;
  diffHunk: string;
  isResolved: boolean;
  comments: ReviewComment[];
};

export type Reviews = {
  all: Review[];
  conversations: Conversation[];
  nextId(): number;
};

export type NewComment = { path: string; line: number | null; body: string };

/** Reviews and their conversations: the emulator has but their beginnings. */
export const reviewBook = (): Reviews => {
  let last = 5_000;
  return { all: [], conversations: [], nextId: () => ++last };
};

type Written = Pick<Review, "author" | "state" | "body" | "commit"> & { comments: readonly NewComment[] };

/** Keeps a review; null when one of its lines is not in the pull request's diff, and then nothing is kept. */
export const addReview = async (
  reviews: Reviews,
  { state, fullName, pull }: { state: RigState; fullName: string; pull: RigPull },
  { comments, ...written }: Written,
): Promise<Review | null> => {
  const repository = state.repositories.get(fullName);
  if (repository === undefined) return null;
  const files = await diffOf(repository, { base: pull.base, head: written.commit });
  const places = comments.map((comment) => placeOf(files, comment));
  if (places.includes(null)) return null;
  const at = new Date().toISOString();
  const about = { fullName, number: pull.number };
  const review: Review = { id: reviews.nextId(), ...about, ...written, at };
  reviews.all.push(review);
  for (const [index, { path, line, body }] of comments.entries()) {
    const id = reviews.nextId();
    reviews.conversations.push({
      ...{ id, ...about, path, line, commit: written.commit, isResolved: false },
      diffHunk: places[index] ?? "",
      comments: [{ id, review: review.id, author: written.author, body, at }],
    });
  }
  await tell(state, { pull, review });
  return review;
};

/** An answer in a conversation is a review of its own, without words. */
export const addReply = async (
  reviews: Reviews,
  { state, pull, conversation }: { state: RigState; pull: RigPull; conversation: Conversation },
  { author, body }: { author: string; body: string },
): Promise<ReviewComment> => {
  const { fullName, number } = conversation;
  const at = new Date().toISOString();
  const review: Review = {
    ...{ id: reviews.nextId(), fullName, number, author, body: "", commit: pull.commit, at },
    state: "COMMENTED",
  };
  reviews.all.push(review);
  const comment = { id: reviews.nextId(), review: review.id, author, body, at };
  conversation.comments.push(comment);
  await tell(state, { pull, review });
  return comment;
};

/** The line as the pull request has it now; null when it was changed since. */
export const lineNow = async (
  state: Pick<RigState, "repositories">,
  { fullName, path, line, commit }: Conversation,
  pull: RigPull,
): Promise<number | null> => {
  const repository = state.repositories.get(fullName);
  if (line === null || repository === undefined) return null;
  return movedLine(repository, { path, line, from: commit, to: pull.commit });
};

const placeOf = (files: readonly FileDiff[], { path, line }: NewComment): string | null => {
  const file = files.find((each) => each.path === path);
  if (file === undefined) return null;
  return line === null ? "" : hunkUpTo(file, line);
};

const tell = async (state: RigState, { pull, review }: { pull: RigPull; review: Review }): Promise<void> =>
  state.emit({
    event: "pull_request_review",
    repository: review.fullName,
    by: review.author,
    payload: {
      action: "submitted",
      review: {
        ...(await shownReview(state, review)),
        // Webhooks say it in other words than the REST API.
        state: review.state.toLowerCase(),
        body: review.body === "" ? null : review.body,
      },
      pull_request: pull.data,
    },
  });

/** As the API shows it. */
export const shownReview = async (
  { account }: Pick<RigState, "account">,
  { id, author, body, state, commit, at, number, fullName }: Review,
) => ({
  id,
  node_id: `PRR_${id}`,
  user: await account(author),
  body,
  state,
  html_url: `https://github.invalid/${fullName}/pull/${number}#pullrequestreview-${id}`,
  commit_id: commit,
  submitted_at: at,
});
