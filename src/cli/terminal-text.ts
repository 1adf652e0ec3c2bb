const ESC = "\u001b";
const BEL = "\u0007";

/**
 * Whole control sequences (ECMA-48): strings with their terminator (window titles, links), CSI (colours, cursor),
 * and escapes of one character. What has no end is no sequence: its text stays to be seen.
 */
const sequences = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${BEL}${ESC}\u009c]*(?:${BEL}|${ESC}\\\\|\u009c)`,
    `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESC}(?:[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])`,
  ].join("|"),
  "g",
);

/**
 * Everything that moves the cursor, turns the reading direction, or cannot be seen; but not tab and newline, nor
 * what joins letters and emoji.
 */
const unseen =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)(?:\p{Cc}|\p{Cs}|\p{Bidi_C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point})/gu;

/** A text of a model or a repository made harmless for a terminal: several lines, no control over anything. */
export const plainText = (text: string): string =>
  text.replace(sequences, "").replace(/\r\n/g, "\n").replaceAll("\t", "    ").replace(unseen, shown);

/** The same on one line. */
export const plainLine = (
  text: string,
  { indent = "dropped" }: { indent?: "kept" | "dropped" } = {},
): string => {
  const line = plainText(text).replace(/\s+/g, (space) => (space.includes("\n") ? " " : space));
  return indent === "kept" ? line.trimEnd() : line.replace(/\s+/g, " ").trim();
};

/** JSON as it is, with what a terminal would act on written as escapes: the same value for a program. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unseen, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

const shown = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
};

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const ascii = /^[\u0020-\u007e]*$/;

/** What is one with the character before it, or with its neighbours: marks, joiners, emoji. */
const joined = /\p{M}|\p{Emoji_Presentation}|\p{Regional_Indicator}|\u200d|\ufe0f/u;

/** Finding the borders of characters that consist of several takes a table that is slow to load. */
const graphemes = (text: string): string[] =>
  joined.test(text)
    ? [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(
        ({ segment }) => segment,
      )
    : [...text];

/** Columns that a plain line takes: two for Chinese, Japanese and Korean characters and for emoji. */
export const displayWidth = (line: string): number =>
  ascii.test(line)
    ? line.length
    : graphemes(line).reduce((width, grapheme) => width + (wide.test(grapheme) ? 2 : 1), 0);

/** At most `width` columns, with `…` where something was cut. */
export const truncate = (line: string, width: number): string => {
  if (displayWidth(line) <= width) return line;
  let kept = "";
  let columns = 0;
  for (const grapheme of graphemes(line)) {
    columns += wide.test(grapheme) ? 2 : 1;
    if (columns > width - 1) break;
    kept += grapheme;
  }
  return width > 0 ? `${kept.trimEnd()}…` : "";
};

/** Filled with spaces up to `width` columns. */
export const padEnd = (line: string, width: number): string =>
  line + " ".repeat(Math.max(0, width - displayWidth(line)));
