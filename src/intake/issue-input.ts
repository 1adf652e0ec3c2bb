import type { EventIssue } from "../forge/events.ts";
import type { Forge } from "../forge/forge.ts";
import { allLeftOut, type LeftOut } from "../forge/text/shown/left-out.ts";
import { shownMarkdown, shownPlain } from "../forge/text/shown/shown-text.ts";
import { blockText } from "./block.ts";
import { writersAmong } from "./writers.ts";

/** What a thread is for, and how much of it nobody would have seen. */
export type Input = { text: string; leftOut: LeftOut };

/** An issue's text as people see it, first line the title: the word of one who may write here, or a stranger's that is quoted. */
export const issueInput = async (
  forge: Pick<Forge, "permission">,
  {
    number,
    title,
    body,
    author,
    isPullRequest,
  }: Pick<EventIssue, "number" | "title" | "body" | "author" | "isPullRequest">,
): Promise<Input> => {
  const { text, leftOut } = await issueText({ title, body });
  const isWriters = (await writersAmong(forge, [author])).has(author);
  const kind = isWriters ? "instruction" : "quotation";
  const of = `${isPullRequest ? "pull request" : "issue"} #${number}`;
  return { text: blockText({ kind, of, by: author === "" ? null : author, text, leftOut }), leftOut };
};

/** An issue that nobody on the forge has written here: the person's own who starts the work, or one from an address. */
export const givenInput = async (issue: {
  title: string;
  body: string;
  url: string | null;
}): Promise<Input> => {
  const { text, leftOut } = await issueText(issue);
  if (issue.url === null) return { text, leftOut };
  return { text: blockText({ kind: "quotation", of: issue.url, by: null, text, leftOut }), leftOut };
};

const issueText = async ({ title, body }: { title: string; body: string }): Promise<Input> => {
  const [first, rest] = [shownPlain(title), await shownMarkdown(body)];
  const text = [first.text.replace(/\s+/g, " ").trim(), rest.text.trim()]
    .filter((part) => part !== "")
    .join("\n\n");
  return { text, leftOut: allLeftOut([first.leftOut, rest.leftOut]) };
};

/** An input with what the person who asked for the work said about it; `login`: null for the operator, who wrote no comment. */
export const withNote = (input: Input, { login, note }: { login: string | null; note: string }): Input => {
  if (note === "") return input;
  const of = `the ${login === null ? "request" : "comment"} that asked for this work`;
  return {
    ...input,
    text: `${input.text}\n\n${blockText({ kind: "instruction", of, by: login, text: note })}`,
  };
};
