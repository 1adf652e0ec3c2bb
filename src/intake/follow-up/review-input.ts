import type { PullRequestDetails, ReviewThread } from "../../forge/forge.ts";
import { visible } from "../../forge/text/invisible.ts";

const MOST_THREADS = 50;
const MAX_CHARS = 4_000;

/** What was asked of a pull request, as a thread's input: the review's own words, then each open conversation with its id. */
export const reviewInput = ({
  pull,
  review,
  threads,
}: {
  pull: Pick<PullRequestDetails, "number" | "title" | "body">;
  review: { author: string; body: string } | null;
  threads: readonly ReviewThread[];
}): string =>
  [
    `Pull request #${pull.number}: ${visible(pull.title).trim()}`,
    bounded(pull.body),
    ...(review === null || review.body.trim() === ""
      ? []
      : [`${review.author} reviewed it:\n\n${bounded(review.body)}`]),
    ...threads.slice(0, MOST_THREADS).map(conversation),
    ...(threads.length > MOST_THREADS
      ? [`${threads.length - MOST_THREADS} more conversations are open.`]
      : []),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const conversation = ({ id, path, line, diffHunk, comments }: ReviewThread): string =>
  [
    `Conversation ${id} on ${path}${line === null ? "" : `, line ${line}`}:`,
    ...(diffHunk === null ? [] : [indented(bounded(diffHunk))]),
    ...comments.map(({ author, isOwn, body }) => `${isOwn ? "You" : author}: ${bounded(body)}`),
  ].join("\n\n");

const bounded = (text: string): string => {
  const shown = visible(text).trim();
  return shown.length <= MAX_CHARS ? shown : `${shown.slice(0, MAX_CHARS).toWellFormed()} …`;
};

const indented = (text: string): string => text.replace(/^/gm, "    ");
