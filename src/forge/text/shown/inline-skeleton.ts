import type { SyntaxNode } from "@lezer/common";
import { childrenOf, type Draft, isRaw, leaf, markAt, put, raw, within } from "./draft.ts";
import { drawingCuts, formulaCuts } from "./drawings.ts";
import { isPlainLabel, isTelling, linkCuts, nameCuts, seemingLinks } from "./markdown-cuts.ts";

/** What stands in a node as words, between the marks of its syntax. `literal`: its marks are words as well. */
export const words = (draft: Draft, node: SyntaxNode, literal = false): void => {
  const { from: start, to: end } = node;
  let from = start;
  for (const child of childrenOf(node)) {
    gap(draft, from, child.from);
    from = child.to;
    if (literal && (child.name === "LinkMark" || child.name === "LinkLabel"))
      leaf(draft, child.from, child.to);
    else inline(draft, child);
  }
  gap(draft, from, end);
  draft.cuts.push(...seemingLinks(plainWords(draft, node), start));
};

/** The text of a node with everything blanked but its plain words, what leads nowhere, and addresses among them. */
const plainWords = ({ text, references }: Draft, node: SyntaxNode): string => {
  const inside = text.slice(node.from, node.to);
  if (!/\][(:]/.test(inside)) return "";
  let plain = "";
  for (const child of childrenOf(node)) {
    const { name, from, to } = child;
    if (name === "URL" || (name === "Link" && references.targetOf(child) === null)) continue;
    plain += inside.slice(plain.length, from - node.from);
    plain += "\0".repeat(to - from);
  }
  return plain + inside.slice(plain.length);
};

const gap = (draft: Draft, from: number, to: number): void => {
  draft.cuts.push(...formulaCuts(draft.text, { from, to }));
  leaf(draft, from, to);
};

const tagged =
  (...tags: [string, string]) =>
  (draft: Draft, node: SyntaxNode): void =>
    within(draft, tags, () => words(draft, node));

const inlineCode = (draft: Draft, node: SyntaxNode): void => {
  const inside = { from: node.firstChild?.to ?? node.from, to: node.lastChild?.from ?? node.to };
  if (draft.text[node.from - 1] === "$") draft.cuts.push(...drawingCuts(draft.text, inside, "math"));
  within(draft, ["<code>", "</code>"], () => leaf(draft, inside.from, inside.to));
};

/** A link or a picture; a footnote's number; or words in brackets, when there is nothing that they lead to. */
const link = (draft: Draft, node: SyntaxNode): void => {
  const { text, references, leaves } = draft;
  if (references.isCall(node)) {
    draft.cuts.push(...nameCuts(text, node));
    within(draft, ['<sup><a href="#">', "</a></sup>"], () => leaf(draft, node.from, node.to));
  } else if (references.targetOf(node) === null) words(draft, node, true);
  else {
    const label = node.getChild("LinkLabel");
    if (
      label !== null &&
      label.to - label.from > 2 &&
      !isPlainLabel(text.slice(label.from + 1, label.to - 1))
    )
      draft.cuts.push({ from: label.from, to: label.to, kind: "behind" });
    draft.cuts.push(...linkCuts(text, node.getChild("URL"), node.getChild("LinkTitle")));
    const first = leaves.length;
    if (node.name === "Image") picture(draft, node);
    else within(draft, ['<a href="">', "</a>"], () => linkWords(draft, node));
    draft.around.push({ from: node.from, to: node.to, leaves: [first, leaves.length] });
  }
};

/** The words that stand for a picture where it cannot be drawn are not seen where it can. */
const picture = (draft: Draft, node: SyntaxNode): void => {
  const [open, close] = node.getChildren("LinkMark");
  const alternative = { from: open?.to ?? node.from, to: close?.from ?? node.from };
  put(draft, '<img src="" alt="" />');
  draft.cuts.push({
    ...alternative,
    kind: isTelling(draft.text.slice(alternative.from, alternative.to)) ? "behind" : null,
  });
  markAt(draft, { from: alternative.from, to: alternative.from });
};

const linkWords = (draft: Draft, node: SyntaxNode): void => {
  const [open, close] = node.getChildren("LinkMark");
  let from = open?.to ?? node.from;
  const end = close?.from ?? node.to;
  for (const child of childrenOf(node)) {
    if (child.from < from) continue;
    if (child.from >= end) break;
    gap(draft, from, child.from);
    from = child.to;
    inline(draft, child);
  }
  gap(draft, from, end);
};

const INLINES: Readonly<Record<string, (draft: Draft, node: SyntaxNode) => void>> = {
  Emphasis: tagged("<em>", "</em>"),
  StrongEmphasis: tagged("<strong>", "</strong>"),
  Strikethrough: tagged("<del>", "</del>"),
  InlineCode: inlineCode,
  Link: link,
  Image: link,
  HardBreak: (draft) => put(draft, "<br />\n"),
};

const inline = (draft: Draft, node: SyntaxNode): void => {
  const { name, from, to } = node;
  if (isRaw(node)) raw(draft, node);
  else if (INLINES[name] !== undefined) INLINES[name](draft, node);
  else if (!name.endsWith("Mark") && name !== "TaskMarker") leaf(draft, from, to);
};
