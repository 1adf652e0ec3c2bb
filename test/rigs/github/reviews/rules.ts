import { isObject } from "../../../../src/base/json.ts";
import { actorIn } from "../access.ts";
import { at } from "../api.ts";
import { json, parsed, type RigResponse } from "../http.ts";
import { paged } from "../paging.ts";
import { pullOf, type RigPull } from "../pulls.ts";
import { inRepository, type Rule, type RuleContext } from "../rule.ts";
import {
  addReply,
  addReview,
  type Conversation,
  lineNow,
  type NewComment,
  type Review,
  type ReviewComment,
  type Reviews,
  shownReview,
} from "./reviews.ts";

const STATES: Readonly<Record<string, Review["state"]>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

const unprocessable = (...errors: string[]): RigResponse =>
  json(422, { message: "Unprocessable Entity", errors });

type Found = { context: RuleContext; fullName: string; pull: RigPull; actor: string };

/** Reviews by REST. */
export const reviewRules = (reviews: Reviews): readonly Rule[] => {
  const on = (
    method: "GET" | "POST",
    rest: string,
    answer: (found: Found) => Promise<RigResponse>,
  ): Rule => ({
    method,
    path: inRepository(`/pulls/(?<number>\\d+)${rest}`),
    answer: async (context) => {
      const { fullName = "", number = "" } = context.params;
      const level = method === "GET" ? "read" : "write";
      const actor = actorIn(context, fullName, { permission: "pull_requests", level });
      if (typeof actor !== "string") return actor;
      const pull = await pullOf(context, fullName, Number(number));
      return pull === null ? json(404, { message: "Not Found" }) : answer({ context, fullName, pull, actor });
    },
  });
  const about = <T extends { fullName: string; number: number }>(list: readonly T[], found: Found): T[] =>
    list.filter(({ fullName, number }) => fullName === found.fullName && number === found.pull.number);

  return [
    on("GET", "/reviews", async (found) => {
      const shown = about(reviews.all, found).map((review) => shownReview(found.context, review));
      return paged(found.context, await Promise.all(shown));
    }),
    on("POST", "/reviews", (found) => write(reviews, found)),
    on("GET", "/comments", async (found) => {
      const shown = about(reviews.conversations, found).flatMap((conversation) =>
        conversation.comments.map((comment) => shownComment(found, conversation, comment)),
      );
      return paged(
        found.context,
        (await Promise.all(shown)).sort((a, b) => a.id - b.id),
      );
    }),
    on("POST", "/comments/(?<comment>\\d+)/replies", async (found) => {
      const id = Number(found.context.params.comment);
      const conversation = about(reviews.conversations, found).find((each) => each.id === id);
      if (conversation === undefined) return json(404, { message: "Not Found" });
      const body = at(parsed(found.context.request), "body");
      if (typeof body !== "string" || body.trim() === "") return unprocessable("body can't be blank");
      const { context, pull, actor } = found;
      const reply = await addReply(reviews, { state: context, pull, conversation }, { author: actor, body });
      return json(201, await shownComment(found, conversation, reply));
    }),
  ];
};

const write = async (reviews: Reviews, found: Found): Promise<RigResponse> => {
  const { context, fullName, pull, actor } = found;
  const asked = parsed(context.request);
  const state = STATES[String(at(asked, "event"))];
  if (state === undefined) return json(501, { message: "the rig has no pending reviews" });
  const body = String(at(asked, "body") ?? "");
  const listed = at(asked, "comments");
  const comments = (Array.isArray(listed) ? listed : []).filter(isObject).map(newComment);
  if (actor === pull.author && state !== "COMMENTED")
    return unprocessable("Can not approve or request changes on your own pull request");
  if (body === "" && state !== "APPROVED" && comments.length === 0)
    return unprocessable("Body can't be blank");
  if (body.length > 65_536) return unprocessable("Body is too long (maximum is 65536 characters)");
  const commit = String(at(asked, "commit_id") ?? pull.commit);
  const review = await addReview(
    reviews,
    { state: context, fullName, pull },
    { author: actor, state, body, commit, comments },
  );
  if (review === null) return unprocessable("Pull request review thread line must be part of the diff");
  return json(200, await shownReview(context, review));
};

const newComment = (comment: Record<string, unknown>): NewComment => ({
  path: String(comment.path),
  line: comment.line === undefined ? null : Number(comment.line),
  body: String(comment.body),
});

/** As the REST API shows it. */
const shownComment = async (
  { context, pull }: Found,
  conversation: Conversation,
  { id, author, body, at: writtenAt, review }: ReviewComment,
) => ({
  id,
  node_id: `PRRC_${id}`,
  pull_request_review_id: review,
  path: conversation.path,
  line: await lineNow(context, conversation, pull),
  original_line: conversation.line,
  side: "RIGHT",
  subject_type: conversation.line === null ? "file" : "line",
  diff_hunk: conversation.diffHunk,
  commit_id: pull.commit,
  original_commit_id: conversation.commit,
  user: await context.account(author),
  body,
  created_at: writtenAt,
  updated_at: writtenAt,
  ...(id === conversation.id ? {} : { in_reply_to_id: conversation.id }),
});
