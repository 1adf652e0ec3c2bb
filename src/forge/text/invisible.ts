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
