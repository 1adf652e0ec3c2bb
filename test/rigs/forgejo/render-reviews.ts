import { addressOf, userOf } from "./render.ts";
import type { CodeComment, Item, Repository, Review, Status, World } from "./world.ts";

/** What Forgejo shows of reviews and statuses. */

export const reviewOf = (world: World, repository: Repository, item: Item, review: Review) => ({
  id: review.id,
  user: userOf(world, review.author),
  team: null,
  state: review.state,
  body: review.body,
  commit_id: review.commit,
  stale: false,
  official: false,
  dismissed: false,
  comments_count: review.comments.length,
  submitted_at: review.at,
  updated_at: review.at,
  html_url: `${addressOf(world, repository, item)}#issuecomment-${review.id}`,
  pull_request_url: addressOf(world, repository, item),
});

export const codeCommentOf = (world: World, item: Item, review: Review, comment: CodeComment) => ({
  id: comment.id,
  body: comment.body,
  user: userOf(world, comment.author),
  resolver: comment.resolver === null ? null : userOf(world, comment.resolver),
  pull_request_review_id: review.id,
  created_at: comment.at,
  updated_at: comment.updatedAt,
  path: comment.path,
  commit_id: comment.commit,
  original_commit_id: "",
  diff_hunk: comment.hunk,
  position: Math.max(0, comment.line),
  original_position: Math.max(0, -comment.line),
  html_url: `${world.origin}/pulls/${item.number}#issuecomment-${comment.id}`,
  pull_request_url: `${world.origin}/pulls/${item.number}`,
});

/** What is set as `state` is answered as `status`. */
export const statusOf = (world: World, status: Status) => ({
  id: status.id,
  status: status.state,
  target_url: status.url,
  description: status.description,
  context: status.context,
  creator: userOf(world, status.author),
  url: `${world.origin}/api/v1/statuses/${status.id}`,
  created_at: status.at,
  updated_at: status.at,
});
