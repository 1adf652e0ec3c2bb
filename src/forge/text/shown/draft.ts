import type { SyntaxNode } from "@lezer/common";
import type { Cut, Range } from "./range.ts";
import type { References } from "./references.ts";

/**
 * The HTML that a text renders to, as far as it decides what is seen: the tags of the Markdown, the raw HTML as it stands, and for each
 * piece of text an empty element of the name `mark` whose attribute `n` is the piece's number.
 */
export type Draft = {
  text: string;
  references: References;
  mark: string;
  html: string[];
  length: number;
  /** Pieces of the text, by number. */
  leaves: Range[];
  /** Raw HTML: where in `html` which part of the text stands. */
  raw: (Range & { at: number })[];
  /** Links and pictures that show only these pieces: with none of them seen they are not there. */
  around: (Range & { leaves: readonly [number, number] })[];
  /** What is never seen, whatever stands around it. */
  cuts: Cut[];
};

export const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
};

export const put = (draft: Draft, html: string): void => {
  draft.html.push(html);
  draft.length += html.length;
};

export const within = (draft: Draft, tags: readonly [string, string], inside: () => void): void => {
  put(draft, tags[0]);
  inside();
  put(draft, tags[1]);
};

export const leaf = (draft: Draft, from: number, to: number): void => {
  if (to > from && draft.text.slice(from, to).trim() !== "") markAt(draft, { from, to });
};

export const markAt = (draft: Draft, piece: Range): void => {
  put(draft, `<${draft.mark} n=${draft.leaves.length}></${draft.mark}>`);
  draft.leaves.push(piece);
};

const RAW = new Set([
  "HTMLBlock",
  "CommentBlock",
  "ProcessingInstructionBlock",
  "HTMLTag",
  "Comment",
  "ProcessingInstruction",
]);

export const isRaw = ({ name }: SyntaxNode): boolean => RAW.has(name);

/** These show what is in them as text: a parser of HTML that took them for what they are would swallow the marks. */
const AS_TEXT = /<(?=\/?(?:textarea|xmp|plaintext)(?:[\s/>]|$))/gi;

/** HTML as it stands in the text, without the marks of a quotation around it. */
export const raw = (draft: Draft, node: SyntaxNode): void => {
  const part = (from: number, to: number): void => {
    if (to <= from) return;
    draft.raw.push({ at: draft.length, from, to });
    put(draft, draft.text.slice(from, to).replace(AS_TEXT, "\u0001"));
  };
  let from = node.from;
  for (const child of childrenOf(node)) {
    if (child.name !== "QuoteMark") continue;
    part(from, child.from);
    from = child.to;
  }
  part(from, node.to);
};
