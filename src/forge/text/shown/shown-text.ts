import { AppError } from "../../../base/errors.ts";
import { withinTime } from "../../../base/time-limit.ts";
import { drawn } from "../invisible.ts";
import { allLeftOut, type LeftOut } from "./left-out.ts";

/** A text as people see it, and how much was left out of it. */
export type Shown = { text: string; leftOut: LeftOut };

/** What GitHub takes; of what is longer only so much is read. */
export const MAX_MARKDOWN = 65_536;
/** Milliseconds of computing. Texts of people take a tenth; only what was made to be slow takes more. */
const MAX_MS = 300;
/** So few characters take no time to speak of, whatever they are. */
const SHORT = 4_000;
/** What is cut out of a text may leave other parts of it together that are hidden then. */
const MOST_PASSES = 10;
const MAY_HIDE = /[<[\]&$|]|```|~~~/;

/**
 * Markdown as people see it on the forge: without HTML comments and elements that are not shown, attributes, titles, definitions that
 * nothing leads to, and characters that are drawn as nothing, in which somebody could hide words for a model. What is shown stays byte
 * for byte; line ends become one kind.
 */
export const shownMarkdown = async (markdown: string): Promise<Shown> => {
  const read = beginning(markdown);
  const plain = shownPlain(read.text);
  const beyond: LeftOut = read.left > 0 ? { beyond: read.left } : {};
  if (!MAY_HIDE.test(plain.text)) return { text: plain.text, leftOut: allLeftOut([plain.leftOut, beyond]) };
  const { cutMarkdown } = await import("./cut-markdown.ts");
  const shown = inTime(plain.text, cutMarkdown);
  return { text: shown.text, leftOut: allLeftOut([plain.leftOut, shown.leftOut, beyond]) };
};

/** A text that is no Markdown, such as a log: only characters can be hidden in it. */
export const shownPlain = (text: string): Shown => {
  const { text: shown, unseen } = drawn(text);
  return { text: shown, leftOut: unseen > 0 ? { characters: unseen } : {} };
};

const beginning = (text: string): { text: string; left: number } => {
  if (text.length <= MAX_MARKDOWN) return { text, left: 0 };
  const lineEnd = text.lastIndexOf("\n", MAX_MARKDOWN);
  const kept = text.slice(0, lineEnd > MAX_MARKDOWN / 2 ? lineEnd : MAX_MARKDOWN).toWellFormed();
  return { text: kept, left: text.length - kept.length };
};

const inTime = (text: string, cut: (text: string) => Shown): Shown => {
  try {
    if (text.length <= SHORT) return untilNothingIsLeft(text, cut);
    return withinTime("reading Markdown", MAX_MS, () => untilNothingIsLeft(text, cut));
  } catch (error) {
    const isTooMuch = error instanceof RangeError || (error instanceof AppError && error.code === "too-slow");
    if (!isTooMuch) throw error;
    return withoutSyntax(text);
  }
};

const untilNothingIsLeft = (text: string, cut: (text: string) => Shown): Shown => {
  const parts: LeftOut[] = [];
  let shown = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = cut(shown);
    if (next.text === shown) return { text: shown, leftOut: allLeftOut(parts) };
    parts.push(next.leftOut);
    shown = next.text;
  }
  const rest = withoutSyntax(shown);
  return { text: rest.text, leftOut: allLeftOut([...parts, rest.leftOut]) };
};

/** Only lines in which nothing can be hidden: for what takes too long, or more of the stack than there is. */
const withoutSyntax = (text: string): Shown => {
  const lines = text.split("\n");
  const kept = lines.filter((line) => !/[<>&[\]$|`~%]/.test(line));
  return { text: kept.join("\n"), leftOut: { unread: lines.length - kept.length } };
};
