/** What to look for and what to put there, both with LF. */
export type Change = {
  old: string;
  new: string;
  /** The match must begin, or end, where a line does. */
  atLineStart?: boolean;
  atLineEnd?: boolean;
};

/**
 * The change without blank lines at the edges of `old`; `new` loses as many where it has them. First with one line
 * end kept after the last line, when `old` had any, then without. Empty when `old` has no blank edge.
 */
export const withoutBlankEdges = (change: Change): Change[] => {
  const lead = newlines(/^(?:[ \t]*\n)*/.exec(change.old)?.[0]);
  const trail = trailingNewlines(change.old);
  const core = dropTrailing(dropLeading(change.old, lead), trail);
  if (core.trim() === "" || (lead === 0 && trail === 0)) return [];
  const start = dropLeading(change.new, lead);
  const newTrail = trailingNewlines(start);
  const place = lead > 0 ? { atLineStart: true } : {};
  const whole = {
    old: core,
    new: dropTrailing(start, Math.min(trail, newTrail)),
    ...place,
    atLineEnd: trail > 0,
  };
  if (trail === 0) return [whole];
  const spare = Math.max(Math.min(trail - 1, newTrail - 1), 0);
  return [{ old: `${core}\n`, new: dropTrailing(start, spare), ...place }, whole];
};

const newlines = (text: string | undefined): number => (text ?? "").split("\n").length - 1;

/** Line ends after the last character that is no space. */
const trailingNewlines = (text: string): number => newlines(text.slice(text.trimEnd().length));

/** Without its first `count` lines, as far as these are blank. */
const dropLeading = (text: string, count: number): string => {
  let rest = text;
  for (let i = 0; i < count; i++) {
    const end = rest.indexOf("\n");
    if (end < 0 || rest.slice(0, end).trim() !== "") break;
    rest = rest.slice(end + 1);
  }
  return rest;
};

/** Without its last `count` line ends and the spaces after them. */
const dropTrailing = (text: string, count: number): string => {
  let rest = text;
  for (let i = 0; i < count; i++) {
    const end = rest.lastIndexOf("\n");
    if (end < 0 || rest.slice(end + 1).trim() !== "") break;
    rest = rest.slice(0, end);
  }
  return rest;
};
