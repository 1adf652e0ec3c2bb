import { GraphQLError } from "graphql";
import { actorIn } from "../access.ts";
import { at } from "../api.ts";
import { pullOf, pullsOf, type RigPull } from "../pulls.ts";
import { type Conversation, lineNow, type ReviewComment, type Reviews } from "../reviews/reviews.ts";
import type { RuleContext } from "../rule.ts";

type Input = { input: Record<string, string> };
type Page = { first?: number; after?: string };

const failure = (type: "NOT_FOUND" | "FORBIDDEN" | "UNPROCESSABLE", message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

/** What queries and mutations read and change: pull requests, their drafts and their reviews. */
export const graphqlRoot = (context: RuleContext, reviews: Reviews) => ({
  repository: ({ owner, name }: { owner: string; name: string }) => {
    const fullName = `${owner}/${name}`;
    if (!context.repositories.has(fullName))
      throw failure("NOT_FOUND", `Could not resolve to a Repository with the name '${fullName}'.`);
    allow(context, fullName, "read");
    return {
      pullRequest: async ({ number }: { number: number }) => {
        const pull = await pullOf(context, fullName, number);
        if (pull === null)
          throw failure("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
        return pullNode(context, reviews, { fullName, pull });
      },
    };
  },
  node: async ({ id }: { id: string }) => {
    const conversation = reviews.conversations.find((each) => threadId(each) === id);
    if (conversation === undefined)
      throw failure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
    allow(context, conversation.fullName, "read");
    const pull = await pullOf(context, conversation.fullName, conversation.number);
    return pull === null ? null : threadNode(context, conversation, pull);
  },
  markPullRequestReadyForReview: ({ input }: Input) => setDraft(context, reviews, input, false),
  convertPullRequestToDraft: ({ input }: Input) => setDraft(context, reviews, input, true),
  resolveReviewThread: ({ input }: Input) => setResolved(context, reviews, input, true),
  unresolveReviewThread: ({ input }: Input) => setResolved(context, reviews, input, false),
});

const allow = (
  context: RuleContext,
  fullName: string,
  level: "read" | "write",
  permission = "pull_requests",
): string => {
  const actor = actorIn(context, fullName, { permission, level });
  if (typeof actor === "string") return actor;
  throw failure("FORBIDDEN", "Resource not accessible by integration");
};

const setDraft = async (
  context: RuleContext,
  reviews: Reviews,
  { pullRequestId }: Record<string, string>,
  draft: boolean,
) => {
  for (const fullName of context.repositories.keys()) {
    const pull = (await pullsOf(context, fullName)).find(({ nodeId }) => nodeId === pullRequestId);
    if (pull === undefined) continue;
    // As GitHub does, whatever its page says.
    allow(context, fullName, "write", "contents");
    const by = allow(context, fullName, "write");
    if (draft && !context.hasDrafts(fullName))
      throw failure("UNPROCESSABLE", "Draft pull requests are not supported in this repository.");
    if (pull.draft === draft)
      throw failure("UNPROCESSABLE", `Pull request is ${draft ? "already a draft" : "not a draft"}.`);
    const api = context.ownerApi(fullName);
    await api("PATCH", `/repos/${fullName}/pulls/${pull.number}`, { draft });
    const now = { ...pull, draft, data: { ...pull.data, draft } };
    const action = draft ? "converted_to_draft" : "ready_for_review";
    const payload = { action, number: pull.number, pull_request: now.data };
    await context.emit({ event: "pull_request", repository: fullName, by, payload });
    return { pullRequest: pullNode(context, reviews, { fullName, pull: now }) };
  }
  throw failure("NOT_FOUND", `Could not resolve to a node with the global id of '${pullRequestId}'`);
};

const setResolved = async (
  context: RuleContext,
  reviews: Reviews,
  { threadId: id }: Record<string, string>,
  isResolved: boolean,
) => {
  const conversation = reviews.conversations.find((each) => threadId(each) === id);
  const pull = conversation && (await pullOf(context, conversation.fullName, conversation.number));
  if (conversation === undefined || pull == null)
    throw failure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
  allow(context, conversation.fullName, "write");
  conversation.isResolved = isResolved;
  return { thread: threadNode(context, conversation, pull) };
};

const pullNode = (
  context: RuleContext,
  reviews: Reviews,
  { fullName, pull }: { fullName: string; pull: RigPull },
) => ({
  id: pull.nodeId,
  number: pull.number,
  isDraft: pull.draft,
  reviewThreads: (page: Page) =>
    connection(
      reviews.conversations.filter((each) => each.fullName === fullName && each.number === pull.number),
      page,
      (conversation) => threadNode(context, conversation, pull),
    ),
});

/** The id of a conversation in GraphQL. */
export const threadId = ({ id }: Pick<Conversation, "id">): string => `PRRT_${id}`;

const threadNode = (context: RuleContext, conversation: Conversation, pull: RigPull) => ({
  __typename: "PullRequestReviewThread",
  id: threadId(conversation),
  path: conversation.path,
  line: () => lineNow(context, conversation, pull),
  originalLine: conversation.line,
  isResolved: conversation.isResolved,
  isOutdated: async () => conversation.line !== null && (await lineNow(context, conversation, pull)) === null,
  subjectType: conversation.line === null ? "FILE" : "LINE",
  comments: (page: Page) =>
    connection(conversation.comments, page, (comment) => commentNode(context, conversation, comment)),
});

const commentNode = (
  context: RuleContext,
  conversation: Conversation,
  { id, author, body, at: writtenAt }: ReviewComment,
) => ({
  id: `PRRC_${id}`,
  fullDatabaseId: String(id),
  databaseId: id,
  body,
  createdAt: writtenAt,
  diffHunk: conversation.diffHunk,
  author: async () => {
    const account = await context.account(author);
    if (account === null) return null;
    // An App's user has no "[bot]" here.
    const login = account.login.replace(/\[bot\]$/, "");
    return { __typename: at(account, "type") === "Bot" ? "Bot" : "User", login, databaseId: account.id };
  },
});

const connection = <T>(all: readonly T[], { first = 100, after }: Page, node: (item: T) => unknown) => {
  const start = after === undefined ? 0 : Number(after);
  const end = Math.min(start + first, all.length);
  return {
    totalCount: all.length,
    nodes: all.slice(start, end).map(node),
    pageInfo: { hasNextPage: end < all.length, endCursor: end === start ? null : String(end) },
  };
};
