import { spelledOut } from "./invisible.ts";
import { disarm } from "./neutralize.ts";

/**
 * A text of which a reader sees every character: what Markdown would take for itself and hide (targets and titles of links,
 * definitions, formulas, cells of tables) stands there as written. Code between single backticks and lists stay what they are.
 */
export const plainText = (text: string): string =>
  spelledOut(text)
    .trim()
    .split("\n")
    .map((line) => escaped(line.trim()))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");

/** As one line, whatever stands in it. */
export const plainLine = (text: string): string => escaped(spelledOut(text).replace(/\s+/g, " ").trim());

/** Disarmed, and everything escaped that could begin a syntax but single backticks around code. */
const escaped = (line: string): string =>
  disarm(line)
    .split(/((?<!`)`[^`]+`(?!`))/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\`[\]|$~<>_#]|^=+$/g, "\\$&")))
    .join("");
