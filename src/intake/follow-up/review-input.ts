import type { PullRequestDetails, ReviewThread } from "../../forge/forge.ts";
import { visible } from "../../forge/text/invisible.ts";
import { shownText } from "../shown-text.ts";
import { onOneLine } from "./one-line.ts";

const MOST_THREADS = 50;
const MAX_CHARS = 4_000;
/** Of one conversation: the first says what it is about, the last what is asked for now. */
const MOST_COMMENTS = 20;

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
    `Pull request #${pull.number}: ${onOneLine(pull.title)}`,
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

const conversation = ({ id, path, line, diffHunk, comments }: ReviewThread): string => {
  const left = comments.length - MOST_COMMENTS;
  const said = comments.map(({ author, isOwn, body }) => `${isOwn ? "You" : author}: ${bounded(body)}`);
  return [
    `Conversation ${id} on ${onOneLine(path)}${line === null ? "" : `, line ${line}`}:`,
    ...(diffHunk === null ? [] : [indented(cut(visible(diffHunk).trim()))]),
    ...(left > 0 ? [...said.slice(0, 1), `… ${left} comments left out …`, ...said.slice(left + 1)] : said),
  ].join("\n\n");
};

const bounded = (text: string): string => cut(shownText(text).trim());

const cut = (text: string): string =>
  text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()} …`;

const indented = (text: string): string => text.replace(/^/gm, "    ");
