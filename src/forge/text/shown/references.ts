import type { SyntaxNode, Tree } from "@lezer/common";

/** What the links and footnotes of a text lead to. */
export type References = {
  /** Of a link or a picture: where it leads, or null when that is nowhere and it is only words. */
  targetOf(node: SyntaxNode): SyntaxNode | "inline" | null;
  /** Whether a node is the number of a footnote that is there. */
  isCall(node: SyntaxNode): boolean;
  /** The footnotes that are shown, in the order of their first call. */
  called: readonly SyntaxNode[];
  /** The rest of them. */
  uncalled: readonly SyntaxNode[];
  /** Definitions that links lead to, and those that none leads to. */
  used: readonly SyntaxNode[];
  unused: readonly SyntaxNode[];
  /** Whether any link shows the name of the definition as its own words. */
  showsName(definition: SyntaxNode): boolean;
};

/** The first definition of a name is the one that holds. */
export const readReferences = (text: string, tree: Tree): References => {
  const slice = ({ from, to }: { from: number; to: number }): string => text.slice(from, to);
  const definitions = new Map<string, SyntaxNode>();
  const notes = new Map<string, SyntaxNode>();
  const others: { definitions: SyntaxNode[]; notes: SyntaxNode[] } = { definitions: [], notes: [] };
  const links: SyntaxNode[] = [];
  const keep = (map: Map<string, SyntaxNode>, rest: SyntaxNode[], key: string, node: SyntaxNode): void => {
    if (key === "" || map.has(key)) rest.push(node);
    else map.set(key, node);
  };
  tree.iterate({
    enter: ({ name, node }) => {
      if (name === "LinkReference") {
        const label = node.getChild("LinkLabel");
        keep(definitions, others.definitions, label === null ? "" : keyOf(slice(label).slice(1, -1)), node);
      } else if (name === "FootnoteDefinition") {
        const mark = node.getChild("FootnoteMark");
        keep(notes, others.notes, mark === null ? "" : keyOf(slice(mark).slice(2, -2)), node);
      } else if (name === "Link" || name === "Image") links.push(node);
    },
  });
  const noteOf = (node: SyntaxNode): SyntaxNode | null => {
    const label = node.name === "Link" ? /^\[\^([^\]\s]+)\]$/.exec(slice(node))?.[1] : undefined;
    return label === undefined ? null : (notes.get(keyOf(label)) ?? null);
  };
  const targetOf = (node: SyntaxNode): SyntaxNode | "inline" | null => {
    if (slice(node).endsWith(")") && node.getChildren("LinkMark").length >= 3) return "inline";
    const label = node.getChild("LinkLabel");
    const written = label === null ? "" : slice(label).slice(1, -1).trim();
    const [open, close] = node.getChildren("LinkMark");
    const shown = open === undefined || close === undefined ? "" : text.slice(open.to, close.from);
    return definitions.get(keyOf(written === "" ? shown : written)) ?? null;
  };
  const called = calledNotes(links, { noteOf, notes: [...notes.values(), ...others.notes] });
  const led = links.flatMap((link) => {
    const target = targetOf(link);
    return target === null || target === "inline" ? [] : [{ link, target }];
  });
  const used = new Set(led.map(({ target }) => target));
  return {
    targetOf,
    isCall: (node) => noteOf(node) !== null,
    called,
    uncalled: [...notes.values(), ...others.notes].filter((note) => !isAmong(called, note)),
    used: [...definitions.values()].filter((node) => used.has(node)),
    showsName: (definition) =>
      led.some(({ link, target }) => target === definition && link.name === "Link" && !hasOwnLabel(link)),
    unused: [...[...definitions.values()].filter((node) => !used.has(node)), ...others.definitions],
  };
};

/** Names are the same whatever their case and space. */
const keyOf = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();

/** `[words][name]`, not `[name]` or `[name][]`. */
const hasOwnLabel = (link: SyntaxNode): boolean => {
  const label = link.getChild("LinkLabel");
  return label !== null && label.to - label.from > 2;
};

const isAmong = (nodes: readonly SyntaxNode[], node: SyntaxNode): boolean =>
  nodes.some(({ from, to }) => from === node.from && to === node.to);

/** A call in a note counts when that note is called itself. */
const calledNotes = (
  links: readonly SyntaxNode[],
  { noteOf, notes }: { noteOf: (node: SyntaxNode) => SyntaxNode | null; notes: readonly SyntaxNode[] },
): SyntaxNode[] => {
  const called: SyntaxNode[] = [];
  const calls = links.flatMap((link) => {
    const note = noteOf(link);
    const holder = notes.find(({ from, to }) => from <= link.from && link.to <= to);
    return note === null ? [] : [{ note, holder }];
  });
  for (let before = -1; before !== called.length; ) {
    before = called.length;
    for (const { note, holder } of calls)
      if (!isAmong(called, note) && (holder === undefined || isAmong(called, holder))) called.push(note);
  }
  return called;
};
