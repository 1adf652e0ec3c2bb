import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parseFragment,
  type Token,
} from "parse5";
import { isPlainTarget, isTelling } from "./markdown-cuts.ts";
import { isSmall, isUnseen } from "./unseen-markup.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What a browser would show of HTML. Positions are those of the HTML. */
export type Seen = {
  /** The numbers of the marks that are seen. */
  marks: ReadonlySet<number>;
  /** Words, and the tags around them without what is not seen of these. */
  ranges: readonly { from: number; to: number }[];
  comments: number;
  /** Elements that are not seen, and hold something. */
  elements: number;
  /** Texts in the attributes of tags. */
  attributes: number;
};

/** Of its attributes a tag keeps where it leads. */
const TARGETS = new Set(["href", "src"]);
/** What forges let through; the name of any other tag may be a text of its own. */
const KNOWN = new Set(
  (
    "a abbr b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font " +
    "footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd label li main mark nav ol p picture pre q rt ruby s samp section small source span " +
    "strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);

/** Nobody writes so many elements inside of one another. */
const MOST_DEPTH = 200;

export const seenIn = (html: string, mark: string): Seen => {
  const around = defaultTreeAdapter.createElement("div", names.NS.HTML, []);
  const fragment = parseFragment(around, html, { sourceCodeLocationInfo: true });
  const seen = {
    marks: new Set<number>(),
    ranges: [] as { from: number; to: number }[],
    comments: 0,
    elements: 0,
    attributes: 0,
  };
  let depth = 0;
  const walk = (nodes: readonly Node[], small: number): void => {
    for (const node of nodes) {
      if (node.nodeName === "#comment") seen.comments++;
      else if (node.nodeName === "#text")
        seen.ranges.push(...wordsOf(node as DefaultTreeAdapterTypes.TextNode, html));
      else if ("tagName" in node) element(node, small + (isSmall(node) ? 1 : 0));
    }
  };
  const element = (node: Element, small: number): void => {
    if (depth > MOST_DEPTH || isUnseen(node, small)) {
      if (holdsSomething(node)) seen.elements++;
      return;
    }
    if (node.tagName === mark) seen.marks.add(Number(node.attrs.find(({ name }) => name === "n")?.value));
    else tags(node);
    depth++;
    walk(node.childNodes, small);
    depth--;
  };
  const tags = (node: Element): void => {
    seen.attributes += node.attrs.filter(({ name, value }) => !TARGETS.has(name) && isTelling(value)).length;
    if (KNOWN.has(node.tagName)) seen.ranges.push(...tagsOf(node, html));
  };
  walk(fragment.childNodes, 0);
  return seen;
};

/** A parser joins words between which it drops a tag that closes nothing: without such tags they must be what it has read. */
const wordsOf = (
  { value, sourceCodeLocation: at }: DefaultTreeAdapterTypes.TextNode,
  html: string,
): { from: number; to: number }[] => {
  if (at == null) return [];
  const pieces: { from: number; to: number }[] = [];
  let from = at.startOffset;
  for (const { index, 0: tag } of html.slice(at.startOffset, at.endOffset).matchAll(/<[/a-z!?][^>]*>/gi)) {
    pieces.push({ from, to: at.startOffset + index });
    from = at.startOffset + index + tag.length;
  }
  pieces.push({ from, to: at.endOffset });
  const written = pieces.map((piece) => html.slice(piece.from, piece.to)).join("");
  const isAsRead =
    written === value || (written.includes("&") && decoded(written.replaceAll("<", "&lt;")) === value);
  return isAsRead ? pieces.filter((piece) => piece.from < piece.to) : [];
};

/** `<b`, what is kept of its attributes, `>`, and `</b` with its `>`. */
const tagsOf = (
  { tagName, attrs, sourceCodeLocation: at }: Element,
  html: string,
): { from: number; to: number }[] => {
  if (at == null) return [];
  const ends = ({ startOffset, endOffset }: Token.Location, name: number) => {
    const isClosed = html.slice(endOffset - 2, endOffset) === "/>";
    return [
      { from: startOffset, to: startOffset + name },
      { from: endOffset - (isClosed ? 2 : 1), to: endOffset },
    ];
  };
  const kept = attrs.flatMap(({ name, value }) => {
    const where = at.attrs?.[name];
    if (where === undefined || !TARGETS.has(name) || !isPlainTarget(value)) return [];
    return [{ from: where.startOffset - 1, to: where.endOffset }];
  });
  const start = at.startTag ?? at;
  return [
    ...ends(start, tagName.length + 1),
    ...kept,
    ...(at.endTag == null ? [] : ends(at.endTag, tagName.length + 2)),
  ];
};

const holdsSomething = (node: Element): boolean =>
  node.childNodes.some((child) =>
    child.nodeName === "#text"
      ? (child as DefaultTreeAdapterTypes.TextNode).value.trim() !== ""
      : child.nodeName !== "#comment",
  );

/** What a reference such as `&shy;` stands for. */
export const decoded = (reference: string): string => {
  const [first] = parseFragment(reference).childNodes;
  return first?.nodeName === "#text" ? (first as DefaultTreeAdapterTypes.TextNode).value : reference;
};
