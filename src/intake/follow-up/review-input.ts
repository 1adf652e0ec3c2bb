import type { PullRequestDetails, ReviewThread } from "../../forge/forge.ts";
import { allLeftOut, type LeftOut, type Shown } from "../../forge/text/shown/left-out.ts";
import { shownMarkdown, shownPlain } from "../../forge/text/shown/shown-text.ts";
import { type Block, blockText } from "../block.ts";
import type { Input } from "../issue-input.ts";
import { onOneLine } from "./one-line.ts";

const MOST_THREADS = 50;
const MAX_CHARS = 4_000;
/** Of one conversation: the first says what it is about, the last what is asked for now. */
const MOST_COMMENTS = 20;

/**
 * What was asked of the bot's own pull request by people who may write there, as a thread's input: the review's own words, then each
 * open conversation with its id.
 */
export const reviewInput = async ({
  pull,
  review,
  threads,
}: {
  pull: Pick<PullRequestDetails, "number" | "title" | "body">;
  review: { author: string; body: string } | null;
  threads: readonly ReviewThread[];
}): Promise<Input> => {
  const parts: Input[] = [
    plain(`Pull request #${pull.number}: ${onOneLine(pull.title)}`.trim()),
    await said({ kind: "quotation", of: "its description", by: "you", text: pull.body }),
    ...(review === null
      ? []
      : [await said({ kind: "instruction", of: "a review", by: review.author, text: review.body })]),
  ];
  for (const thread of threads.slice(0, MOST_THREADS)) parts.push(await conversation(thread));
  if (threads.length > MOST_THREADS)
    parts.push(plain(`${threads.length - MOST_THREADS} more conversations are open.`));
  return joined(parts);
};

const plain = (text: string): Input => ({ text, leftOut: {} });

const joined = (parts: readonly Input[]): Input => ({
  text: parts
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n"),
  leftOut: allLeftOut(parts.map(({ leftOut }) => leftOut)),
});

const conversation = async ({ id, path, line, diffHunk, comments }: ReviewThread): Promise<Input> => {
  const left = comments.length - MOST_COMMENTS;
  const kept = left > 0 ? [...comments.slice(0, 1), ...comments.slice(left + 1)] : comments;
  const words = await Promise.all(
    kept.map(({ author, isOwn, body }) =>
      said({
        kind: isOwn ? "quotation" : "instruction",
        of: "a comment",
        by: isOwn ? "you" : author,
        text: body,
      }),
    ),
  );
  if (left > 0) words.splice(1, 0, plain(`… ${left} comments left out …`));
  return joined([
    plain(`Conversation ${id} on ${onOneLine(path)}${line === null ? "" : `, line ${line}`}:`),
    ...(diffHunk === null ? [] : [quotedLines(shownPlain(diffHunk))]),
    ...words,
  ]);
};

const quotedLines = ({ text, leftOut }: Shown): Input => ({
  text: blockText({ kind: "quotation", of: "the diff", by: null, text: cut(text.trim()), leftOut }),
  leftOut,
});

/** Nothing where nothing is to be seen. */
const said = async ({ text: written, ...block }: Omit<Block, "leftOut">): Promise<Input> => {
  const { text, leftOut }: { text: string; leftOut: LeftOut } = await shownMarkdown(written);
  const shown = cut(text.trim());
  return { text: shown === "" ? "" : blockText({ ...block, text: shown, leftOut }), leftOut };
};

const cut = (text: string): string =>
  text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()} …`;
