import { at } from "../../github/api.ts";
import { diffOf, hunkUpTo } from "../../github/diff.ts";
import { json } from "../../github/http.ts";
import { note } from "../change-item.ts";
import { tellReview } from "../events.ts";
import { codeCommentOf, reviewOf } from "../render-reviews.ts";
import { type CallOnItem, notFound, onItem, paged, type Route, refuse } from "../route.ts";
import { type CodeComment, nowText, type Pull, type Review } from "../world.ts";

const REVIEWS = "/pulls/(?<number>\\d+)/reviews";
const REVIEW = `${REVIEWS}/(?<review>\\d+)`;

const list = onItem({
  method: "GET",
  rest: REVIEWS,
  scope: "repository",
  level: "read",
  answer: (call) =>
    call.item.pull === null
      ? notFound
      : paged(
          call,
          call.item.pull.reviews.map((review) => reviewOf(call.world, call.repository, call.item, review)),
        ),
});

const STATES: Readonly<Record<string, Review["state"]>> = {
  APPROVED: "APPROVED",
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "REQUEST_CHANGES",
  COMMENT: "COMMENT",
};

const write = onItem({
  method: "POST",
  rest: REVIEWS,
  scope: "repository",
  level: "read",
  answer: async (call) => {
    const { world, repository, item, by, body } = call;
    const { pull } = item;
    if (pull === null) return notFound;
    const state = STATES[String(at(body, "event"))];
    const lines = at(body, "comments");
    const wanted = Array.isArray(lines) ? lines : [];
    const text = String(at(body, "body") ?? "");
    if (state === undefined) return refuse(422, "only COMMENT, APPROVED and REQUEST_CHANGES are known here");
    if (state !== "APPROVED" && text === "" && wanted.length === 0)
      return refuse(422, "review event needs a body");
    if (state !== "COMMENT" && item.author === by) return refuse(422, "approve your own pull is not allowed");
    const commit = String(at(body, "commit_id") ?? pull.commit);
    const review: Review = {
      id: world.nextId(),
      author: by,
      state,
      body: text,
      commit,
      at: nowText(),
      comments: [],
    };
    for (const each of wanted) review.comments.push(await lineOf({ ...call, body: each }, { pull, commit }));
    pull.reviews.push(review);
    note(item, { id: world.nextId(), type: "review", author: by, body: text, label: null });
    await tellReview(call, item, review);
    return json(200, reviewOf(world, repository, item, review));
  },
});

const comments = onItem({
  method: "GET",
  rest: `${REVIEW}/comments`,
  scope: "repository",
  level: "read",
  answer: (call) => {
    const review = reviewIn(call);
    if (review === undefined) return notFound;
    return json(
      200,
      review.comments.map((comment) => codeCommentOf(call.world, call.item, review, comment)),
    );
  },
});

/** On a line that the review speaks of already, it is an answer. */
const answer = onItem({
  method: "POST",
  rest: `${REVIEW}/comments`,
  scope: "repository",
  level: "read",
  answer: async (call) => {
    const review = reviewIn(call);
    const { pull } = call.item;
    if (review === undefined || pull === null) return notFound;
    const made = await lineOf(call, { pull, commit: pull.commit });
    review.comments.push(made);
    return json(200, codeCommentOf(call.world, call.item, review, made));
  },
});

const reviewIn = ({ item, params }: CallOnItem): Review | undefined =>
  item.pull?.reviews.find(({ id }) => id === Number(params.review));

const lineOf = async (
  { world, repository, by, body }: CallOnItem,
  { pull, commit }: { pull: Pull; commit: string },
): Promise<CodeComment> => {
  const path = String(at(body, "path"));
  const line = Number(at(body, "new_position") ?? 0) || -Number(at(body, "old_position") ?? 0);
  const files = await diffOf(repository.bare, { base: pull.base, head: commit });
  const file = files.find((each) => each.path === path);
  const hunk = file === undefined || line < 0 ? "" : (hunkUpTo(file, line) ?? "");
  const now = nowText();
  const text = String(at(body, "body"));
  return {
    id: world.nextId(),
    author: by,
    body: text,
    at: now,
    updatedAt: now,
    path,
    line,
    hunk,
    commit,
    resolver: null,
  };
};

export const reviewRoutes: readonly Route[] = [list, write, comments, answer];
