/** A character that is written with others: its UTF-16 unit, and how many stand for it. */
export type Escape = { unit: number; length: number };

/** `&#x000041;` */
export const LONGEST_ESCAPE = 10;

const [PERCENT, AMPERSAND, BACKSLASH] = [0x25, 0x26, 0x5c];

export const beginsEscape = (unit: number): boolean =>
  unit === PERCENT || unit === AMPERSAND || unit === BACKSLASH;

/** The escape with which a text begins; null where it is none. */
export const escapeIn = (ahead: string): Escape | null => {
  switch (ahead.charCodeAt(0)) {
    case PERCENT:
      return percentEscape(ahead);
    case AMPERSAND:
      return entity(ahead);
    default:
      return backslashEscape(ahead);
  }
};

/** Of ASCII alone: what more bytes make together is a form of its own. */
const percentEscape = (ahead: string): Escape | null => {
  const hex = /^%([0-7][0-9a-f])/i.exec(ahead)?.[1];
  return hex === undefined ? null : { unit: Number.parseInt(hex, 16), length: 3 };
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

const CONTROLS: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, f: 0x0c };

/** Of JSON, JavaScript and shells; git writes paths with three octal digits. */
const backslashEscape = (ahead: string): Escape | null => {
  const [, hex, octal, sign] =
    /^\\(?:(u[0-9a-f]{4}|x[0-9a-f]{2})|([0-3][0-7]{2})|([nrtbf"'\\/]))/i.exec(ahead) ?? [];
  if (hex !== undefined) return { unit: Number.parseInt(hex.slice(1), 16), length: 1 + hex.length };
  if (octal !== undefined) return { unit: Number.parseInt(octal, 8), length: 4 };
  return sign === undefined ? null : { unit: CONTROLS[sign] ?? sign.charCodeAt(0), length: 2 };
};
