/**
 * Whether values stand in texts, word for word. White space of any kind and number counts as one space, and compatible
 * forms of a character (NFKC) as the same.
 */
export type SaidIn = {
  /** The text stands there as written, not inside a longer word. */
  text(value: string): boolean;
  /** The words stand there in this order, whatever their case and whatever joins them: `needs_changes`, "Needs changes". */
  words(value: string): boolean;
  /** A number of this value is written there in digits: `1234`, `1,234`, `1.2e3`, `12 %`. */
  number(value: number): boolean;
  /**
   * In one line with the words of `name` stands one of `wanted`, as the first word after them that is one of `wanted` or
   * `others`; or, where none is after them, as the last one before.
   */
  beside(name: string, wanted: readonly string[], others?: readonly string[]): boolean;
};

export const saidIn = (texts: readonly string[]): SaidIn => {
  const whole = texts.map(flat).join("\n");
  const wordy = ` ${texts.map(spread).join(" \n ")} `;
  const lines = texts.flatMap((text) => text.split(/\r?\n/)).map((line) => ` ${spread(line)} `);
  let numbers: Set<number> | undefined;
  return {
    text: (value) => standsIn(whole, flat(value)),
    words: (value) => spread(value) !== "" && wordy.includes(` ${spread(value)} `),
    number: (value) => {
      numbers ??= numbersIn(texts);
      return numbers.has(value);
    },
    beside: (name, wanted, others = []) =>
      lines.some((line) => {
        const deciding = wordBeside(line, { name: spread(name), words: [...wanted, ...others] });
        return deciding !== undefined && wanted.includes(deciding);
      }),
  };
};

const flat = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, " ").trim();

/** Lower-case words with single spaces between them; `camelCase` and `snake_case` are two words each. */
const spread = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const wordBeside = (
  line: string,
  { name, words }: { name: string; words: readonly string[] },
): string | undefined => {
  const at = name === "" ? -1 : line.indexOf(` ${name} `);
  if (at === -1) return undefined;
  const isDeciding = (word: string): boolean => words.includes(word);
  const after = line.slice(at + name.length + 2).split(" ");
  return after.find(isDeciding) ?? line.slice(0, at).split(" ").findLast(isDeciding);
};

const standsIn = (text: string, value: string): boolean => {
  if (value === "") return false;
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!joins(text.slice(0, at), value) && !joins(value, text.slice(at + value.length))) return true;
  }
  return false;
};

/** True when a word goes on from the end of one text into the beginning of the other. */
const joins = (before: string, after: string): boolean => {
  const last = /[\p{L}\p{N}_]$/u.exec(before.slice(-2))?.[0];
  const first = /^[\p{L}\p{N}_]/u.exec(after.slice(0, 2))?.[0];
  return last !== undefined && first !== undefined && !(UNSPACED.test(last) || UNSPACED.test(first));
};

/** Written without spaces between words. */
const UNSPACED = /\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Thai}|\p{sc=Laoo}|\p{sc=Khmr}|\p{sc=Mymr}/u;

/** Parts of words, of versions and of dotted addresses are no numbers. */
const NUMBER = /(?<![\w.])[-−]?(?:\d{1,3}(?:[,_]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\.?\d)/g;

const numbersIn = (texts: readonly string[]): Set<number> =>
  new Set(
    texts
      .flatMap((text) => text.normalize("NFKC").match(NUMBER) ?? [])
      .map((written) => Number(written.replace("−", "-").replace(/[,_]/g, ""))),
  );
