import { inlineCode } from "./inline-code.ts";

/** What the bot answers to somebody's command. */
export type Notice = {
  /** A login. */
  to: string;
  /** Markdown of the bot's own, safe to show. */
  text: string;
  /** Why who asked for the work is called, as the rest of a sentence; absent where nobody has to be. */
  calls?: string | undefined;
};

/** The hidden line by which the comment is found again that holds the bot's answers where no thread has a comment. */
export const noticeMarker = "<!-- uwf:notice -->";

/** One paragraph, or several; nobody is mentioned. */
export const noticeText = ({ to, text }: Notice): string => `To ${inlineCode(to)}: ${text}`;

/** The Markdown of the comment for places without a thread. */
export const noticeComment = (notice: Notice): string => `${noticeMarker}\n${noticeText(notice)}`;
