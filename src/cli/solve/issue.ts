import { inputError } from "../../base/errors.ts";
import type { Context } from "../context.ts";
import { readInput } from "../read-input.ts";
import type { GivenIssue } from "./given-issue.ts";

/**
 * The issue that `--issue` gives: an address of one on a forge, `@file` (`@-`: standard input), or its text, whose
 * first line is the title. Throws `issue-invalid`, `issue-unreachable`, and as `readInput`.
 */
export const readIssue = async (
  text: string,
  context: Pick<Context, "cwd" | "stdin" | "env">,
): Promise<GivenIssue> => {
  if (/^https?:\/\/\S+$/.test(text.trim())) {
    const { fetchIssue } = await import("./fetch-issue.ts");
    return fetchIssue(text.trim(), { fetch, env: context.env });
  }
  const written = text.startsWith("@") ? await readInput(text.slice(1), context) : text;
  return splitIssue(written, text.startsWith("@") ? text.slice(1) : "the text");
};

/** Longer first lines are no titles: where one is shown or becomes a branch, it would be in the way. */
const MAX_TITLE = 120;

/**
 * First line the title, the rest the body; a Markdown heading's marks are dropped. Of a text that begins with a long
 * line the title is that line's beginning, and the body all of it.
 */
const splitIssue = (text: string, where: string): GivenIssue => {
  const [first = "", ...rest] = text.trim().split(/\r?\n/);
  const title = first.replace(/^#+\s+/, "").trim();
  if (title.length > MAX_TITLE)
    return { title: beginningOf(title), body: text.trim(), number: null, url: null };
  if (title !== "") return { title, body: rest.join("\n").trim(), number: null, url: null };
  throw inputError(
    "issue-invalid",
    `the issue is empty: ${where} has no line to be its title`,
    'Give its text (--issue "…"), a file (--issue @issue.md) or an address.',
  );
};

/** Cut between words where there are any, and never within a character. */
const beginningOf = (line: string): string => {
  const cut = [...line.slice(0, 2 * MAX_TITLE)].slice(0, MAX_TITLE - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > MAX_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
};
