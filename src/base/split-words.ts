/**
 * The words of a command line, as a shell without variables and patterns reads it: quotes hold words together, a backslash takes the
 * next character as it is. Null where a quote is not closed.
 */
export const splitWords = (line: string): string[] | null => {
  const words: string[] = [];
  const part = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|./gsy;
  let word: string | null = null;
  for (const match of line.trim().matchAll(part)) {
    const [text, single, double, escaped, plain] = match;
    if (/^\s/.test(text)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    const piece = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (piece === undefined) return null;
    word = (word ?? "") + piece;
  }
  return word === null ? words : [...words, word];
};
