/** Put inside a word or a mark, it is not seen and the forge no longer takes the whole for syntax. */
export const BREAK = "\u200b";

/**
 * What may hide or reorder text: C0 and C1 controls but tab and newline, bidirectional marks and overrides, zero-width
 * and soft characters, interlinear annotations, language tags. Joiners stay: several scripts need them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text as people can see it: one kind of line end, well-formed, nothing hidden. */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(UNSEEN, "");

/** What is drawn as nothing: Unicode's own list, controls but tab and newline, and letters that are blank. */
const UNDRAWN = /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]/gu;

/** A mark that says how the picture before it is drawn, and a joiner where scripts and pictures need one, are spelling. */
const SPELLING =
  /^(?:\p{Extended_Pictographic}\ufe0f|(?!\p{Script=Latin})(?:\p{L}|\p{M}|\p{Extended_Pictographic}|\ufe0f)(?:\u200c|\u200d)(?=\p{L}|\p{Extended_Pictographic}))/u;

const MAY_SPELL = new Set(["\ufe0f", "\u200c", "\u200d"]);

const oneLineEnd = (text: string): string => text.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n");

/** `text` with each character that is drawn as nothing replaced by what `instead` says. */
const replaceUndrawn = (text: string, instead: (mark: string) => string): string =>
  oneLineEnd(text).replace(UNDRAWN, (mark, at: number, whole: string) => {
    if (!MAY_SPELL.has(mark)) return instead(mark);
    const around = `${[...whole.slice(Math.max(0, at - 2), at)].at(-1) ?? ""}${whole.slice(at, at + 3)}`;
    return SPELLING.test(around) ? mark : instead(mark);
  });

/** The text with what nobody would see in it spelled out, as `⟨U+200B⟩`; line ends as one kind, tabs as they are. */
export const spelledOut = (text: string): string =>
  replaceUndrawn(text, (mark) => {
    const code = mark.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });

/** The text without what nobody would see in it, and how many characters that were; line ends as one kind, tabs as they are. */
export const drawn = (text: string): { text: string; unseen: number } => {
  let unseen = 0;
  const nothing = (): string => {
    unseen++;
    return "";
  };
  const once = replaceUndrawn(text, nothing);
  // What stood between may have kept others apart, which spell nothing now.
  const shown = unseen === 0 ? once : replaceUndrawn(once, nothing);
  return { text: shown, unseen };
};
