/**
 * A text for a regular expression of the plain kind that schemas have: classes, groups, alternatives, counts. What it does
 * not know it leaves out, so whoever uses it has to check the text.
 */
export const fromPattern = (pattern: string): string => {
  const reader = { text: pattern, at: 0 };
  return alternatives(reader).slice(0, MAX);
};

const MAX = 1_000;

type Reader = { text: string; at: number };

const peek = (reader: Reader): string => reader.text.charAt(reader.at);

/** Up to the end of the group; the first alternative stands for all. */
const alternatives = (reader: Reader): string => {
  const first = sequence(reader);
  while (peek(reader) === "|") {
    reader.at++;
    sequence(reader);
  }
  return first;
};

const sequence = (reader: Reader): string => {
  let text = "";
  while (reader.at < reader.text.length && !"|)".includes(peek(reader))) {
    const one = atom(reader);
    text += one.repeat(count(reader));
    if (text.length > MAX) return text.slice(0, MAX);
  }
  return text;
};

const atom = (reader: Reader): string => {
  const char = peek(reader);
  reader.at++;
  switch (char) {
    case "^":
    case "$":
      return "";
    case ".":
      return "a";
    case "\\":
      return escaped(reader);
    case "[":
      return fromClass(reader);
    case "(":
      return group(reader);
    default:
      return char;
  }
};

const group = (reader: Reader): string => {
  const [prefix = ""] = /^\?(?::|<?[=!]|<\w+>)/.exec(reader.text.slice(reader.at)) ?? [];
  reader.at += prefix.length;
  const inner = alternatives(reader);
  reader.at++;
  return /^\?<?[=!]$/.test(prefix) ? "" : inner;
};

const classes: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  t: "\t",
  n: "\n",
};

const escaped = (reader: Reader): string => {
  const char = peek(reader);
  reader.at++;
  return /[bB]/.test(char) ? "" : (classes[char] ?? char);
};

/** The first character that is in the class; of one that excludes, a letter or a digit that is not. */
const fromClass = (reader: Reader): string => {
  const end = /^(?:\\.|[^\]\\])*\]/.exec(reader.text.slice(reader.at))?.[0] ?? "";
  reader.at += Math.max(1, end.length);
  const body = end.slice(0, -1);
  if (body.startsWith("^")) {
    const excluded = new RegExp(`[${body.slice(1)}]`);
    return ["a", "1", "Z", "-", "_"].find((char) => !excluded.test(char)) ?? "a";
  }
  return body.startsWith("\\") ? (classes[body.charAt(1)] ?? body.charAt(1)) : body.charAt(0);
};

/** How often what stands before is repeated: as seldom as it may be, but once where it may be left out. */
const count = (reader: Reader): number => {
  const [all = "", mark = "", least, comma, most] =
    /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.text.slice(reader.at)) ?? [];
  reader.at += all.length;
  if (all === "" || mark !== "") return 1;
  const fewest = Number(least);
  return comma !== undefined && fewest === 0 && most !== "0" ? 1 : Math.min(fewest, MAX);
};
