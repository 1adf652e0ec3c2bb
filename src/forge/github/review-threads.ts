import { z } from "zod";
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { ReviewThread } from "../forge.ts";
import { askGraphql, isRefusal } from "./graphql.ts";
import type { Bot } from "./identity.ts";
import type { Place } from "./place.ts";
import { threadsOfComments } from "./review-comments.ts";

const COMMENTS = `pageInfo { hasNextPage endCursor }
      nodes {
        fullDatabaseId body createdAt diffHunk
        author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
      }`;

const THREADS = `query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 50, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id path line isResolved comments(first: 50) { ${COMMENTS} } }
    }
  } }
}`;

const COMMENTS_OF_THREAD = `query CommentsOfThread($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequestReviewThread { comments(first: 100, after: $after) { ${COMMENTS} } } }
}`;

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

const Comments = z.object({
  pageInfo: PageInfo,
  nodes: z.array(
    z.object({
      /** A number that may need 64 bits, as text. */
      fullDatabaseId: z.union([z.string(), z.int()]).transform(String),
      body: z.string(),
      createdAt: z.string(),
      diffHunk: z.string(),
      author: z
        .object({ __typename: z.string(), login: z.string(), databaseId: z.int().nullish() })
        .nullish(),
    }),
  ),
});
type Comment = z.output<typeof Comments>["nodes"][number];

const Threads = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: PageInfo,
        nodes: z.array(
          z.object({
            id: z.string(),
            path: z.string(),
            line: z.int().nullish(),
            isResolved: z.boolean(),
            comments: Comments,
          }),
        ),
      }),
    }),
  }),
});
type Thread = z.output<typeof Threads>["repository"]["pullRequest"]["reviewThreads"]["nodes"][number];

const MoreComments = z.object({ node: z.object({ comments: Comments }) });

type Asked = { number: number; bot: Bot };

/**
 * The conversations of a pull request's reviews, the oldest first. A conversation has the id of its first comment. Where GraphQL is
 * refused they come from the REST API, which does not know what is resolved.
 */
export const reviewThreads = async (
  place: Place,
  { log, ...asked }: Asked & { log: Log },
): Promise<ReviewThread[]> => {
  try {
    return await threadsByGraphql(place, asked);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.info(
      { repository: place.fullName, pullRequest: asked.number, error: messageOf(error) },
      "GitHub's GraphQL does not tell the conversations: which are resolved is not known",
    );
    return threadsOfComments(place, asked);
  }
};

const threadsByGraphql = async (place: Place, { number, bot }: Asked): Promise<ReviewThread[]> => {
  const found: ReviewThread[] = [];
  const what = `read the reviews of ${place.fullName}#${number}`;
  let after: string | null = null;
  do {
    const variables = { owner: place.owner, name: place.repo, number, after };
    const answer: z.output<typeof Threads> = await askGraphql(place, {
      ...{ what, query: THREADS, variables, schema: Threads },
    });
    const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
    for (const thread of nodes) {
      const comments = await allComments(place, { thread, what });
      const [first] = comments;
      if (first !== undefined) found.push(threadOf(thread, { first, comments, bot }));
    }
    after = nextPage(pageInfo);
  } while (after !== null);
  return found.sort((a, b) => (a.comments[0]?.at ?? 0) - (b.comments[0]?.at ?? 0));
};

const allComments = async (
  place: Place,
  { thread, what }: { thread: Thread; what: string },
): Promise<Comment[]> => {
  const comments = [...thread.comments.nodes];
  let after = nextPage(thread.comments.pageInfo);
  while (after !== null) {
    const variables = { id: thread.id, after };
    const { node } = await askGraphql(place, {
      ...{ what, query: COMMENTS_OF_THREAD, variables, schema: MoreComments },
    });
    comments.push(...node.comments.nodes);
    after = nextPage(node.comments.pageInfo);
  }
  return comments;
};

const nextPage = ({ hasNextPage, endCursor }: z.output<typeof PageInfo>): string | null =>
  hasNextPage ? (endCursor ?? null) : null;

const threadOf = (
  { path, line, isResolved }: Thread,
  { first, comments, bot }: { first: Comment; comments: readonly Comment[]; bot: Bot },
): ReviewThread => ({
  id: first.fullDatabaseId,
  path,
  line: line ?? null,
  diffHunk: first.diffHunk === "" ? null : first.diffHunk,
  isResolved,
  comments: comments.map(({ author, body, createdAt }) => ({
    author: loginOf(author),
    isOwn: author?.__typename === "Bot" && author.databaseId === bot.id,
    body,
    at: Date.parse(createdAt),
  })),
});

/** GraphQL leaves out what the rest of GitHub has at the end of an App's login. */
const loginOf = (author: Comment["author"]): string => {
  if (author == null) return "ghost";
  return author.__typename === "Bot" && !author.login.endsWith("[bot]")
    ? `${author.login}[bot]`
    : author.login;
};
