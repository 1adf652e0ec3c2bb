import type { Tree } from "@lezer/common";
import { type BlockContext, GFM, type Line, type MarkdownConfig, parser } from "@lezer/markdown";

/** `[^label]: text`, and what is indented below it: GitHub's and Forgejo's footnotes, which the GFM specification does not have. */
const OPENING = /^\[\^[^\]\s]{1,999}\]:/;
const INDENT = 4;

/** What ends a table, and would not end a paragraph: Lezer reads the lines of both alike. */
const ENDS_TABLE =
  /^(?:<\/?[a-z][\w-]*(?:[ \t][^<>]*)?\/?>[ \t]*$|[-+*][ \t]*$|\d{1,9}[.)][ \t]*$|=+[ \t]*$)/i;

const isTable = (content: string): boolean => {
  const [header = "", below = ""] = content.split("\n", 2);
  return header.includes("|") && /^[ \t|:-]+$/.test(below) && below.includes("-");
};

const footnotes: MarkdownConfig = {
  defineNodes: [
    {
      name: "FootnoteDefinition",
      block: true,
      composite: (_context: BlockContext, line: Line): boolean => {
        const isBlank = line.next < 0;
        if (!isBlank && line.indent < line.baseIndent + INDENT) return false;
        line.moveBaseColumn(line.baseIndent + INDENT);
        return true;
      },
    },
    { name: "FootnoteMark" },
  ],
  parseBlock: [
    {
      name: "FootnoteDefinition",
      before: "LinkReference",
      parse: (context: BlockContext, line: Line) => {
        const mark = OPENING.exec(line.text.slice(line.pos))?.[0];
        if (mark === undefined || line.indent >= line.baseIndent + INDENT) return false;
        const from = context.lineStart + line.pos;
        context.startComposite("FootnoteDefinition", line.pos);
        context.addElement(context.elt("FootnoteMark", from, from + mark.length));
        line.moveBase(line.pos + mark.length);
        return null;
      },
      endLeaf: (_context, line, leaf) => {
        const rest = line.text.slice(line.pos);
        return OPENING.test(rest) || (ENDS_TABLE.test(rest) && isTable(leaf.content));
      },
    },
  ],
};

const markdown = parser.configure([GFM, footnotes]);

/** How forges read Markdown: CommonMark with GitHub's extensions and footnotes. Positions are those of `text`. */
export const markdownTree = (text: string): Tree => markdown.parse(text);
