import { plainLine } from "./terminal-text.ts";

/** For a shell; names and paths come from repositories, and people paste these lines. */
export const shellWord = (text: string): string => {
  const plain = plainLine(text);
  return /^[\w./:@%+=-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
};
