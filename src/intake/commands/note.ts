import { shownMarkdown } from "../../forge/text/shown/shown-text.ts";
import type { Command } from "./parse.ts";

/** Characters. */
export const MAX_NOTE = 10_000;

/** A command with its note as people see it. */
export const shownNote = async <T extends Pick<Command, "note">>(command: T): Promise<T> => {
  const { text } = await shownMarkdown(command.note);
  return { ...command, note: text.trim().slice(0, MAX_NOTE).toWellFormed() };
};
