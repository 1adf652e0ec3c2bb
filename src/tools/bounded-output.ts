import type { Workspace } from "../workspace/workspace.ts";
import { cutText } from "./text-format.ts";

/** What was left out of the middle. */
type Cut = { lines: number; chars: number };

export type Bound = {
  /** Characters (UTF-16 units) of the answer, the note included. */
  maxChars: number;
  /** Which part of it the head gets, 0 to 1; the tail gets the rest. */
  headShare: number;
  note(cut: Cut): string;
};

/**
 * The text when it fits, else its first and last whole lines with a note of what was cut between them. A line that
 * alone is too long is cut itself, never inside a character. Never longer than `maxChars`, if the note is not.
 */
export const boundedText = (text: string, { maxChars, headShare, note }: Bound): string => {
  if (text.length <= maxChars) return text;
  const longestNote = note({ lines: text.split("\n").length, chars: text.length });
  const room = Math.max(maxChars - longestNote.length - 2, 0);
  const head = firstLines(text, Math.floor(room * headShare));
  const tail = lastLines(text, room - Math.floor(room * headShare));
  const middle = text.slice(head.length, text.length - tail.length);
  const cut = { chars: middle.length, lines: middle.replace(/^\n|\n$/g, "").split("\n").length };
  return [head, note(cut), tail]
    .filter((part) => part !== "")
    .map((part) => part.replace(/^\n|\n$/g, ""))
    .join("\n");
};

const firstLines = (text: string, length: number): string => {
  const end = text.lastIndexOf("\n", length);
  return end > 0 ? text.slice(0, end) : cutText(text, length);
};

const lastLines = (text: string, length: number): string => {
  if (length === 0) return "";
  const start = text.length - length;
  const end = text.indexOf("\n", start - 1);
  if (end >= 0 && end < text.length - 1) return text.slice(end + 1);
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
};

/** Characters of one tool's output that a model gets. */
export const MAX_OUTPUT_CHARS = 30_000;

/** An output for a model: when it is too long, the whole is kept in a file that the note names. */
export const boundedOutput = async (
  text: string,
  { workspace, headShare, maxChars }: { workspace: Workspace; headShare: number; maxChars?: number },
): Promise<string> => {
  const most = maxChars ?? MAX_OUTPUT_CHARS;
  if (text.length <= most) return text;
  const path = await workspace.keepOutput(text);
  return boundedText(text, {
    maxChars: most,
    headShare,
    note: ({ lines, chars }) =>
      `[… ${lines.toLocaleString("en-US")} lines (${chars.toLocaleString("en-US")} characters) left out here; ` +
      `the whole output is in ${path}: read_file or shell_exec (grep, sed) show more …]`,
  });
};
