import type { Cut, Range } from "./range.ts";
import type { References } from "./references.ts";

const MAX_TARGET = 200;
const PLAIN_LABEL = /^\^?[\w.+#-]{1,30}$/;

/** A name that is not shown, and too short to say anything. */
export const isPlainLabel = (label: string): boolean => PLAIN_LABEL.test(label);

/** Where a link leads is seen by pointing at it: an address that is no text in disguise. */
export const isPlainTarget = (target: string): boolean => {
  const address = target.replace(/^<|>$/g, "");
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "mailto"].includes(scheme)) return false;
  return address.length <= MAX_TARGET && !/\s|%(?:[01][0-9a-f]|20|c2%a0|e2%80)|\+\w*\+/i.test(address);
};

/** More than a word: somebody could be told something by it. */
export const isTelling = (text: string): boolean => /[\p{L}\p{N}]\s+[\p{L}\p{N}]|.{40}/su.test(text);

const hidden = (text: string, { from, to }: Range): Cut => ({
  from,
  to,
  kind: isTelling(text.slice(from, to)) ? "behind" : null,
});

/** The title of a link, and an address that is none. */
export const linkCuts = (text: string, url: Range | null, title: Range | null): Cut[] => [
  ...(title === null ? [] : [hidden(text, withSpace(text, title))]),
  ...(url === null || isPlainTarget(text.slice(url.from, url.to)) ? [] : [hidden(text, url)]),
];

const withSpace = (text: string, { from, to }: Range): Range => {
  let start = from;
  while (start > 0 && /\s/.test(text[start - 1] ?? "")) start--;
  return { from: start, to };
};

const SEEMING =
  /\]\([ \t\n]{0,9}(<[^<>\n]{0,2000}>|[^\s()]{0,2000})([ \t\n]{1,9}(?:"[^"]{0,2000}"|'[^']{0,2000}'|\([^()]{0,2000}\)))?[ \t\n]{0,9}\)/g;

const SEEMING_DEFINITION =
  /^[ \t>]{0,20}\[([^\]\n]{1,999})\]:[ \t]{0,9}\S{1,2000}([ \t]{1,9}(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$/gm;

/** In words that are no link to this reader, and may be one to another: titles, long names, and addresses that are none. */
export const seemingLinks = (words: string, start: number): Cut[] => [
  ...titlesOfLinks(words, start),
  ...titlesOfDefinitions(words, start),
];

const titlesOfDefinitions = (words: string, start: number): Cut[] =>
  [...words.matchAll(SEEMING_DEFINITION)].flatMap(({ index, 0: whole, 1: label = "", 2: title = "" }) => {
    const labelAt = start + index + whole.indexOf("[") + 1;
    const titleAt = start + index + whole.lastIndexOf(title);
    return [
      ...(isTelling(label) ? [{ from: labelAt, to: labelAt + label.length, kind: "behind" as const }] : []),
      ...(title === "" ? [] : [{ from: titleAt, to: titleAt + title.length, kind: "behind" as const }]),
    ];
  });

const titlesOfLinks = (words: string, start: number): Cut[] =>
  [...words.matchAll(SEEMING)].flatMap(({ index, 0: whole, 1: url = "", 2: title = "" }) => {
    const urlAt = index + whole.indexOf(url, 2);
    const titleAt = urlAt + url.length;
    const cuts = [
      ...(isPlainTarget(url) ? [] : [hidden(words, { from: urlAt, to: titleAt })]),
      ...(title === "" ? [] : [hidden(words, { from: titleAt, to: titleAt + title.length })]),
    ];
    return cuts.map(({ from, to, kind }) => ({ from: from + start, to: to + start, kind }));
  });

/** Of what stands after a code block's fence only the language is used, for its colours. */
export const infoCuts = (text: string, info: Range): Cut[] => {
  const written = text.slice(info.from, info.to);
  const language = /^[\w+#.-]{1,30}(?=\s|$)/.exec(written)?.[0] ?? "";
  const from = info.from + language.length;
  return from === info.to ? [] : [hidden(text, { from, to: info.to })];
};

/** Definitions that nothing leads to, and those whose name is a text of its own that nobody sees; of the others the title. */
export const definitionCuts = (text: string, references: References): Cut[] => [
  ...references.unused.map(({ from, to }): Cut => ({ from, to, kind: "definitions" })),
  ...references.uncalled.map(
    ({ from, to }): Cut => ({ from, to: toBlankLine(text, to), kind: "definitions" }),
  ),
  ...references.called.flatMap((note) => nameCuts(text, note.getChild("FootnoteMark"))),
  ...references.used.flatMap((node) => {
    const label = node.getChild("LinkLabel");
    const isNamed = label === null || isPlainLabel(text.slice(label.from + 1, label.to - 1));
    return isNamed || references.showsName(node)
      ? linkCuts(text, node.getChild("URL"), node.getChild("LinkTitle"))
      : [hidden(text, node)];
  }),
];

/** What stands right below a footnote may go on with it. */
const toBlankLine = (text: string, from: number): number => {
  const length = text.slice(from).search(/\n[ \t]*(?:\n|$)/);
  return length === -1 ? text.length : from + length;
};

/** A footnote is shown with a number, whatever its name. */
export const nameCuts = (text: string, mark: Range | null): Cut[] => {
  const name = mark === null ? null : /^\[\^([^\]]*)\]/.exec(text.slice(mark.from, mark.to))?.[1];
  if (mark === null || name == null || isPlainLabel(name)) return [];
  return [{ from: mark.from + 2, to: mark.from + 2 + name.length, kind: "behind" }];
};
