import { inputError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Author, CommitRequest } from "./workspace.ts";

/** Tells which thread made a commit: what is on a branch is only built on when all of it is the thread's own. */
export const THREAD_TRAILER = "Uwf-Thread";

/** The commit's message: as given, with one block of trailers at its end. Throws `message-empty` (fix-input). */
export const commitMessage = ({ message, author, coAuthors }: CommitRequest, thread: ThreadId): string => {
  const body = message
    .replaceAll("\0", "")
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
  if (body === "") throw inputError("message-empty", "A commit needs a message.");
  const seen = new Set([author.email.toLowerCase()]);
  const credits = coAuthors.filter(({ email }) => {
    const known = seen.has(email.toLowerCase());
    seen.add(email.toLowerCase());
    return !known;
  });
  const trailers = [
    ...credits.map((each) => `Co-authored-by: ${cleanName(each.name)} <${cleanEmail(each.email)}>`),
    `${THREAD_TRAILER}: ${thread}`,
  ];
  return `${body}\n\n${trailers.join("\n")}\n`;
};

/** Author, committer and time as git's environment wants them. */
export const commitIdentity = ({ author, at }: CommitRequest): Record<string, string> => {
  const [name, email, date] = [
    cleanName(author.name),
    cleanEmail(author.email),
    `@${Math.floor(at / 1000)} +0000`,
  ];
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
};

/** As `%ce` answers it. */
export const committerEmail = ({ author }: { author: Author }): string => cleanEmail(author.email);

const cleanName = (name: string): string => clean(name) || "uwf";
const cleanEmail = (email: string): string => clean(email).replace(/\s/g, "") || "uwf@localhost";

const clean = (text: string): string =>
  [...text]
    .map((character) => (character < " " || character === "\u007f" ? " " : character))
    .join("")
    .replace(/[<>]/g, "")
    .replace(/\s+/g, " ")
    .trim();
