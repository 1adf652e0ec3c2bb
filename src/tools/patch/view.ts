/**
 * A text made easier to match, with the way back: character `i` of `text` stands for
 * [`start(i)`, `end(i)`) of the source.
 */
export type View = { text: string; start(i: number): number; end(i: number): number };

/** The source with LF line ends: such a line end stands for CR and LF where these are. */
export const sourceView = (source: string): View => {
  if (!source.includes("\r\n")) return { text: source, start: (i) => i, end: (i) => i + 1 };
  const { text, at } = without(source, (i) => source[i] === "\r" && source[i + 1] === "\n");
  const start = (i: number): number =>
    source[at(i)] === "\n" && source[at(i) - 1] === "\r" ? at(i) - 1 : at(i);
  return { text, start, end: (i) => at(i) + 1 };
};

/** Without spaces and tabs at the ends of lines. */
export const trimmedView = (view: View): View => {
  const dropped = trailingSpaces(view.text);
  if (dropped.size === 0) return view;
  const { text, at } = without(view.text, (i) => dropped.has(i));
  return { text, start: (i) => view.start(at(i)), end: (i) => view.end(at(i)) };
};

/** Typographic quotes, dashes and spaces as their ASCII forms. */
export const foldedView = (view: View): View => ({ ...view, text: foldCharacters(view.text) });

/** Each one UTF-16 unit for another, so that positions stay. */
export const foldCharacters = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u201A\u201B\u2032]/g, "'")
    .replace(/[\u201C\u201D\u201E\u201F\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ");

export const trimLineEnds = (text: string): string => {
  const dropped = trailingSpaces(text);
  return dropped.size === 0
    ? text
    : text.replace(/[ \t]/g, (space, i: number) => (dropped.has(i) ? "" : space));
};

/** The text without the characters that `drop` names, and where each of the others was. */
const without = (source: string, drop: (i: number) => boolean): { text: string; at(i: number): number } => {
  const kept = new Int32Array(source.length);
  let text = "";
  let from = 0;
  let count = 0;
  for (let i = 0; i < source.length; i++) {
    if (!drop(i)) {
      kept[count++] = i;
      continue;
    }
    text += source.slice(from, i);
    from = i + 1;
  }
  text += source.slice(from);
  return { text, at: (i) => (i < count ? (kept[i] ?? 0) : source.length) };
};

/** Positions of spaces and tabs that end a line; linear, whatever the text. */
const trailingSpaces = (text: string): ReadonlySet<number> => {
  const found = new Set<number>();
  let atLineEnd = true;
  for (let i = text.length - 1; i >= 0; i--) {
    const char = text[i];
    if (char === "\n") atLineEnd = true;
    else if (atLineEnd && (char === " " || char === "\t")) found.add(i);
    else atLineEnd = false;
  }
  return found;
};
