import { shownMarkdown } from "../../forge/text/shown/shown-text.ts";
import type { Command } from "./parse.ts";

const MAX_CHARS = 10_000;

/** A command with its note as people see it. */
export const shownNote = async (command: Command): Promise<Command> => {
  const { text } = await shownMarkdown(command.note);
  return { ...command, note: text.trim().slice(0, MAX_CHARS).toWellFormed() };
};
