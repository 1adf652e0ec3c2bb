import type { DefaultTreeAdapterTypes } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;

/** What browsers draw nothing of, what forges take out with all that is in it, and what is shown only where a picture or a film is not. */
const UNSEEN = new Set(
  (
    "script style template title head noscript noembed noframes iframe frame frameset object applet embed audio video canvas datalist param " +
    "rp svg math meter progress base area basefont link meta dialog map"
  ).split(" "),
);

/** So many of them inside of one another, and the text is a few dots high. */
const SMALL = new Set(["sub", "sup", "small"]);
const MOST_SMALL = 4;

/** Whether an element and all that is in it is not to be seen. What opens with a click is. */
export const isUnseen = (element: Element, small: number): boolean => {
  if (UNSEEN.has(element.tagName) || small > MOST_SMALL) return true;
  return element.attrs.some(({ name, value }) => {
    if (name === "hidden") return true;
    if (name === "style") return hides(value);
    if (name === "color") return isPale(value);
    return element.tagName === "font" && name === "size" && /^-\s*[3-9]/.test(value.trim());
  });
};

export const isSmall = ({ tagName }: Pick<Element, "tagName">): boolean => SMALL.has(tagName);

/** Property → what of its values leaves nothing to see. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none/,
  visibility: /^(?:hidden|collapse)/,
  "content-visibility": /^hidden/,
  opacity: /^(?:0*(?:\.0\d*)?%?$|0*\.0)/,
  "font-size":
    /^[+-]?0*(?:\.\d+|[012](?:\.\d+)?)(?:px|pt|em|rem|ex|ch|%|vw|vh|in|cm|mm|pc|q)?(?:\s|$)|^(?:calc|clamp|min|max)\(/,
  font: /(?:^|\s)0/,
  transform: /scale[xyz3d]*\(\s*0|matrix|translate|rotate[xy]/,
  scale: /^0/,
  zoom: /^0/,
  filter: /opacity|brightness|contrast|blur/,
  clip: /^rect/,
  "clip-path": /./,
  mask: /./,
  "mask-image": /./,
  position: /^(?:absolute|fixed)/,
  "text-indent": /^-/,
  "margin-left": /^-\d{3}/,
  "margin-top": /^-\d{3}/,
  margin: /(?:^|\s)-\d{3}/,
  left: /^-/,
  top: /^-/,
  width: /^0/,
  height: /^0/,
  "max-width": /^0/,
  "max-height": /^0/,
  "line-height": /^0/,
  "letter-spacing": /^-/,
  "z-index": /^-/,
  all: /./,
};

const hides = (style: string): boolean => {
  const declarations = style
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => codePoint(Number.parseInt(code, 16)))
    .replace(/\\/g, "")
    .toLowerCase()
    .split(";")
    .map((each) => each.split(":"))
    .map(([name = "", ...value]) => ({ name: name.trim(), value: value.join(":").trim() }));
  const background = declarations.find(({ name }) => name.startsWith("background"))?.value;
  return declarations.some(({ name, value }) => {
    if (name === "color" || name === "-webkit-text-fill-color") return isPale(value) || value === background;
    return HIDING[name]?.test(value) ?? false;
  });
};

const codePoint = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "");

const PALE_NAMES =
  /^(?:white|snow|ivory|ghostwhite|whitesmoke|floralwhite|mintcream|azure|aliceblue|seashell|honeydew|transparent|canvas|var\()/;
const PALE = 0xe8;

/** As white as the paper, or see-through. */
const isPale = (color: string): boolean => {
  const text = color.trim().toLowerCase();
  if (PALE_NAMES.test(text)) return true;
  const hex = /^#?([0-9a-f]{3,8})(?![0-9a-z])/.exec(text)?.[1];
  if (hex !== undefined) return isPaleHex(hex);
  const [, kind, inside = ""] = /^(rgba?|hsla?)\(([^)]*)/.exec(text) ?? [];
  if (kind === undefined) return false;
  const parts = inside.split(/[\s,/]+/).filter(Boolean);
  const numbers = parts.map((part) =>
    part.endsWith("%") ? (Number.parseFloat(part) * 255) / 100 : Number.parseFloat(part),
  );
  const alpha = parts[3] === undefined ? 1 : Number.parseFloat(parts[3]);
  if (alpha < 0.1) return true;
  return kind.startsWith("rgb")
    ? numbers.slice(0, 3).every((part) => part >= PALE)
    : (numbers[2] ?? 0) >= PALE;
};

const isPaleHex = (hex: string): boolean => {
  const size = hex.length <= 4 ? 1 : 2;
  const channels =
    hex.match(size === 1 ? /./g : /../g)?.map((each) => Number.parseInt(each.repeat(3 - size), 16)) ?? [];
  const [red = 0, green = 0, blue = 0, alpha = 255] = channels;
  return alpha < 26 || Math.min(red, green, blue) >= PALE;
};
