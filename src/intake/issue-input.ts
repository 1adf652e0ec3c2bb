import { visible } from "../forge/text/invisible.ts";
import { shownText } from "./shown-text.ts";

/** An issue's text as a thread's input: what people can see of it, first line the title. */
export const issueInput = ({ title, body }: { title: string; body: string }): string => {
  const text = shownText(body).trim();
  return text === "" ? visible(title).trim() : `${visible(title).trim()}\n\n${text}`;
};

/** An input with what the person who asked for the work said about it. */
export const withNote = (input: string, { login, note }: { login: string; note: string }): string =>
  note === "" ? input : `${input}\n\n${login}, who asked for this work, adds:\n\n${note}`;
