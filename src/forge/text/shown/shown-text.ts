import { answeringThread } from "../../../base/answering-thread.ts";
import { drawn } from "../invisible.ts";
import { allLeftOut, type LeftOut, type Shown } from "./left-out.ts";

/** What GitHub takes; of what is longer only so much is read. */
export const MAX_MARKDOWN = 65_536;
/** So few characters take no time to speak of, whatever they are. */
const SHORT = 4_000;
const MAY_HIDE = /[<[\]&$|]|```|~~~/;

/**
 * Markdown as people see it on the forge: without HTML comments and elements that are not shown, attributes, titles, definitions that
 * nothing leads to, and characters that are drawn as nothing, in which somebody could hide words for a model. What is shown stays byte
 * for byte; line ends become one kind. A long text is read in a thread of its own: this process has others to serve.
 */
export const shownMarkdown = async (markdown: string): Promise<Shown> => {
  const read = beginning(markdown);
  const plain = shownPlain(read.text);
  const beyond: LeftOut = read.left > 0 ? { beyond: read.left } : {};
  if (!MAY_HIDE.test(plain.text)) return { text: plain.text, leftOut: allLeftOut([plain.leftOut, beyond]) };
  const shown = plain.text.length <= SHORT ? await here(plain.text) : await elsewhere(plain.text);
  return { text: shown.text, leftOut: allLeftOut([plain.leftOut, shown.leftOut, beyond]) };
};

const here = async (text: string): Promise<Shown> => {
  const { shownAtLeisure } = await import("./shown-in-time.ts");
  return shownAtLeisure(text);
};

const elsewhere = answeringThread<string, Shown>(new URL("./shown-thread.ts", import.meta.url));

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
