/** A line of a comment, and whether the forge shows it as something that its author says: not as code, and not hidden. */
export type WrittenLine = { text: string; isSaid: boolean };

type Block = {
  /** What stands before it on its first line is said. */
  beginsSaid?: true;
  /** Whether a line is the block's last one. */
  ends(line: string): boolean;
  /** Whether a line stands outside, and the block was over before. */
  leaves(line: string): boolean;
};

/** The lines of a text as CommonMark reads them; `text` has one kind of line end. */
export const writtenLines = (text: string): WrittenLine[] => {
  let block: Block | null = null;
  return text.split("\n").map((raw) => {
    const line = raw.trimEnd();
    if (block?.leaves(line)) block = null;
    const inside = block !== null;
    if (block === null) block = fenceIn(line) ?? markupIn(line);
    else if (block.ends(line)) block = null;
    return { text: line, isSaid: !inside && (block === null || block.beginsSaid === true) };
  });
};

const FENCE = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+|>\s?| {0,3})(`{3,}(?=[^`]*$)|~{3,})/;

/** Code that is fenced inside of a list or a quotation ends with these at the latest. */
const fenceIn = (line: string): Block | null => {
  const [, before = "", fence] = FENCE.exec(line) ?? [];
  if (fence === undefined) return null;
  const isNested = before.trim() !== "";
  const closing = isNested ? /^[\s>]*(`{3,}|~{3,})$/ : /^ {0,3}(`{3,}|~{3,})$/;
  return {
    ends: (next) => {
      const run = closing.exec(next)?.[1];
      return run !== undefined && run[0] === fence[0] && run.length >= fence.length;
    },
    leaves: (next) => isNested && /^[^\s>]/.test(next),
  };
};

/** Markup whose content is code, or is not shown at all. */
const MARKUP = [
  { starts: /^ {0,3}<!--/, ends: /-->/ },
  { starts: /^ {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)/i, ends: /<\/(?:pre|script|style|textarea)>/i },
];

const markupIn = (line: string): Block | null => {
  const kind = MARKUP.find(({ starts }) => starts.test(line));
  if (kind === undefined) return commentLeftOpen(line);
  if (kind.ends.test(line.replace(kind.starts, ""))) return null;
  return until(kind.ends);
};

const until = (end: RegExp): Block => ({ ends: (next) => end.test(next), leaves: () => false });

/** A comment that begins in the middle of a line ends with its paragraph. */
const commentLeftOpen = (line: string): Block | null => {
  const text = line.replace(/`[^`]*`/g, "");
  const open = text.lastIndexOf("<!--");
  return open === -1 || text.indexOf("-->", open) !== -1 ? null : { ...until(/-->|^$/), beginsSaid: true };
};
