import type { SyntaxNode, Tree } from "@lezer/common";
import { childrenOf, type Draft, isRaw, leaf, put, raw, within } from "./draft.ts";
import { drawingCuts } from "./drawings.ts";
import { words } from "./inline-skeleton.ts";
import { definitionCuts, infoCuts } from "./markdown-cuts.ts";
import { readReferences } from "./references.ts";

export type Skeleton = Readonly<
  Pick<Draft, "mark" | "leaves" | "raw" | "around" | "cuts"> & {
    /** See `Draft`. */
    html: string;
  }
>;

export const skeletonOf = (text: string, tree: Tree): Skeleton => {
  const references = readReferences(text, tree);
  const draft: Draft = {
    text,
    references,
    mark: unusedName(text),
    html: [],
    length: 0,
    leaves: [],
    raw: [],
    around: [],
    cuts: definitionCuts(text, references),
  };
  blocks(draft, tree.topNode);
  footnotes(draft);
  return { ...draft, html: draft.html.join("") };
};

/** Markup of the text's own cannot pass for a mark. */
const unusedName = (text: string): string => {
  const lower = text.toLowerCase();
  for (let number = 0; ; number++) if (!lower.includes(`x-mark${number}`)) return `x-mark${number}`;
};

const blocks = (draft: Draft, node: SyntaxNode): void => {
  for (const child of childrenOf(node)) if (!child.name.endsWith("Mark")) block(draft, child);
};

/** The words of an item are a paragraph only in a list with blank lines between its parts. */
const list =
  (...tags: [string, string]) =>
  (draft: Draft, node: SyntaxNode): void => {
    const items = node.getChildren("ListItem");
    const isLoose = [items, ...items.map(childrenOf)].some((parts) => hasBlankBetween(draft.text, parts));
    within(draft, tags, () => {
      for (const item of items)
        within(draft, ["<li>", "</li>\n"], () => {
          for (const child of childrenOf(item))
            if (child.name === "Paragraph" && !isLoose) words(draft, child);
            else if (!child.name.endsWith("Mark")) block(draft, child);
        });
    });
  };

const hasBlankBetween = (text: string, parts: readonly SyntaxNode[]): boolean =>
  parts.some(({ to }, index) => {
    const next = parts[index + 1];
    return next !== undefined && /\n[ \t>]*\n/.test(text.slice(to, next.from));
  });

const holding =
  (...tags: [string, string]) =>
  (draft: Draft, node: SyntaxNode): void =>
    within(draft, tags, () => blocks(draft, node));

const saying =
  (...tags: [string, string]) =>
  (draft: Draft, node: SyntaxNode): void =>
    within(draft, tags, () => words(draft, node));

/** Indented below a definition, it goes on with the paragraph that the definition stood in: Lezer takes it for code. */
const indentedCode = (draft: Draft, node: SyntaxNode): void => {
  const before = node.prevSibling;
  const isBelow =
    before?.name === "LinkReference" && !/\n[ \t>]*\n/.test(draft.text.slice(before.to, node.from));
  if (isBelow) draft.cuts.push({ from: node.from, to: node.to, kind: "definitions" });
  else code(draft, node);
};

const code = (draft: Draft, node: SyntaxNode): void => {
  const info = node.getChild("CodeInfo");
  const language = info === null ? "" : draft.text.slice(info.from, info.to);
  if (info !== null) draft.cuts.push(...infoCuts(draft.text, info));
  const open = language === "" ? "<pre><code>" : '<pre><code class="">';
  within(draft, [open, "</code></pre>\n"], () => {
    for (const { from, to } of node.getChildren("CodeText")) {
      draft.cuts.push(...drawingCuts(draft.text, { from, to }, language));
      leaf(draft, from, to);
    }
  });
};

/** A row's cells beyond the header's are not drawn. */
const table = (draft: Draft, node: SyntaxNode): void => {
  const columns = node.getChild("TableHeader")?.getChildren("TableCell").length ?? 0;
  const rows = [...node.getChildren("TableHeader"), ...node.getChildren("TableRow")];
  within(draft, ["<table>\n", "</table>\n"], () => {
    for (const row of rows)
      within(draft, ["<tr>\n", "</tr>\n"], () => {
        for (const [at, cell] of row.getChildren("TableCell").entries())
          if (at >= columns) draft.cuts.push({ from: cell.from, to: cell.to, kind: "behind" });
          else within(draft, ['<td align="">', "</td>\n"], () => words(draft, cell));
      });
  });
};

const nothing = (): void => undefined;

const BLOCKS: Readonly<Record<string, (draft: Draft, node: SyntaxNode) => void>> = {
  Blockquote: holding("<blockquote>\n", "</blockquote>\n"),
  BulletList: list("<ul>\n", "</ul>\n"),
  OrderedList: list("<ol>\n", "</ol>\n"),
  Paragraph: saying("<p>", "</p>\n"),
  Task: saying('<p><input type="checkbox" disabled="">', "</p>\n"),
  FencedCode: code,
  CodeBlock: indentedCode,
  Table: table,
  HorizontalRule: (draft) => put(draft, "<hr />\n"),
  // Links lead there; notes stand at the end, whatever they were written in.
  LinkReference: nothing,
  FootnoteDefinition: nothing,
};

const heading = saying("<h1>", "</h1>\n");

const block = (draft: Draft, node: SyntaxNode): void => {
  if (isRaw(node)) raw(draft, node);
  else (BLOCKS[node.name] ?? heading)(draft, node);
};

const footnotes = (draft: Draft): void => {
  if (draft.references.called.length === 0) return;
  within(draft, ['<section class=""><ol>\n', "</ol></section>"], () => {
    for (const note of draft.references.called)
      within(draft, ['<li id="">', "</li>"], () => blocks(draft, note));
  });
};
