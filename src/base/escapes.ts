/** A character that is written with others: its UTF-16 unit, and how many stand for it. */
export type Escape = { unit: number; length: number };

/** `&#x000041;` */
export const LONGEST_ESCAPE = 10;

const [PERCENT, AMPERSAND, BACKSLASH] = [0x25, 0x26, 0x5c];

/** The escape that begins there; null where none does. Of addresses, HTML, JSON, JavaScript, shells and git. */
export const escapeAt = (units: Uint16Array, at: number, end: number): Escape | null => {
  switch (units[at]) {
    case PERCENT:
      return percentEscape(units, at, end);
    case AMPERSAND:
      return entity(String.fromCharCode(...units.subarray(at, Math.min(end, at + LONGEST_ESCAPE))));
    case BACKSLASH:
      return backslashEscape(units, at, end);
    default:
      return null;
  }
};

/** Of ASCII alone: what more bytes make together is a form of its own. */
const percentEscape = (units: Uint16Array, at: number, end: number): Escape | null => {
  const unit = digits(units, { from: at + 1, count: 2, base: 16, end });
  return unit >= 0 && unit < 0x80 ? { unit, length: 3 } : null;
};

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  plus: "+",
  equals: "=",
  colon: ":",
  period: ".",
  lowbar: "_",
  hyphen: "-",
};

const entity = (ahead: string): Escape | null => {
  const [whole = "", decimal, hex, name] =
    /^&(?:#(\d{1,6})|#x([0-9a-f]{1,6})|([a-z]{2,7}));/i.exec(ahead) ?? [];
  const named = name === undefined ? undefined : NAMED[name];
  if (named !== undefined) return { unit: named.charCodeAt(0), length: whole.length };
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code >= 0 && code <= 0xffff ? { unit: code, length: whole.length } : null;
};

/** What a letter or a sign after a backslash stands for. */
const SIGNS = new Map(
  Object.entries({
    n: "\n",
    r: "\r",
    t: "\t",
    b: "\b",
    f: "\f",
    '"': '"',
    "'": "'",
    "\\": "\\",
    "/": "/",
  }).map(([sign, meant]) => [sign.charCodeAt(0), meant.charCodeAt(0)]),
);
const [SMALL_U, SMALL_X] = [0x75, 0x78];

/** Git writes bytes of paths with three octal digits. */
const backslashEscape = (units: Uint16Array, at: number, end: number): Escape | null => {
  if (at + 1 >= end) return null;
  const next = units[at + 1] ?? 0;
  const sign = SIGNS.get(next);
  if (sign !== undefined) return { unit: sign, length: 2 };
  if (next === SMALL_U || next === SMALL_X) {
    const count = next === SMALL_U ? 4 : 2;
    const unit = digits(units, { from: at + 2, count, base: 16, end });
    return unit < 0 ? null : { unit, length: 2 + count };
  }
  const byte = digits(units, { from: at + 1, count: 3, base: 8, end });
  return byte < 0 || byte > 0xff ? null : { unit: byte, length: 4 };
};

type Digits = { from: number; count: number; base: number; end: number };

/** The number that so many digits write; -1 where they do not. */
const digits = (units: Uint16Array, { from, count, base, end }: Digits): number => {
  if (from + count > end) return -1;
  let number = 0;
  for (let at = from; at < from + count; at++) {
    const digit = digitOf(units[at] ?? 0);
    if (digit >= base) return -1;
    number = number * base + digit;
  }
  return number;
};

/** 16 for what is no digit. */
const digitOf = (unit: number): number => {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = (unit | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : 16;
};
