import { visible } from "../forge/text/invisible.ts";

/**
 * Markdown as people see it on the forge: without what is drawn as nothing, and without HTML comments, in which somebody could hide
 * words for a model. They stay only in fenced code where nothing before can have made that anything else; elsewhere it is better to lose
 * one that was shown than to keep one that was not.
 */
export const shownText = (markdown: string): string => {
  const text = visible(markdown);
  return text.includes("<!--") ? withoutComments(text.split("\n")) : text;
};

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
/** Markup at the start of a line, also in lists and quotations: below it, what looks like code may be none. */
const MARKUP = /^[\s>*+\-\d.)]*<(?!!--)[A-Za-z/?!]/;
const BEGINS_WITH_COMMENT = /^[\s>*+\-\d.)]*<!--/;

const withoutComments = (lines: readonly string[]): string => {
  const shown: string[] = [];
  let fence: string | null = null;
  let isHidden = false;
  let hasMarkup = false;
  const closedBelow = endsInParagraph(lines);
  for (const [at, line] of lines.entries()) {
    if (fence !== null) {
      shown.push(line);
      if (closes(line, fence)) fence = null;
      continue;
    }
    const opening = isHidden || hasMarkup ? undefined : FENCE.exec(line)?.[1];
    if (opening !== undefined) {
      fence = opening;
      shown.push(line);
      continue;
    }
    hasMarkup ||= !isHidden && MARKUP.test(line);
    const swallows = hasMarkup || BEGINS_WITH_COMMENT.test(line) || closedBelow[at] === true;
    const rest = outside(line, { isHidden, swallows });
    if (rest.text.trim() !== "" || (line.trim() === "" && !isHidden)) shown.push(rest.text);
    isHidden = rest.isHidden;
  }
  return shown.join("\n");
};

const closes = (line: string, fence: string): boolean => {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return run !== undefined && run[0] === fence[0] && run.length >= fence.length;
};

/** What stands outside of comments; `swallows`: one that is left open goes on in the next line. */
const outside = (
  line: string,
  { isHidden, swallows }: { isHidden: boolean; swallows: boolean },
): { text: string; isHidden: boolean } => {
  let text = "";
  let from = isHidden ? afterEnd(line, 0) : 0;
  while (from !== -1) {
    const open = line.indexOf("<!--", from);
    const next = open === -1 ? -1 : afterEnd(line, open + 2);
    if (open === -1 || (next === -1 && !swallows)) return { text: text + line.slice(from), isHidden: false };
    text += line.slice(from, open);
    from = next;
  }
  return { text, isHidden: true };
};

const afterEnd = (line: string, from: number): number => {
  const end = line.indexOf("-->", from);
  return end === -1 ? -1 : end + "-->".length;
};

/** Of each line, whether a comment that is left open in it ends below, before its paragraph does. */
const endsInParagraph = (lines: readonly string[]): boolean[] => {
  const closed: boolean[] = [];
  let isClosed = false;
  for (let at = lines.length - 1; at >= 0; at--) {
    closed[at] = isClosed;
    const line = lines[at] ?? "";
    if (line.includes("-->")) isClosed = true;
    else if (line.trim() === "") isClosed = false;
  }
  return closed;
};
