/** What a text held that nobody sees who reads it on the forge: how much of each kind was left out. */
export type LeftOut = Readonly<Partial<Record<HiddenKind, number>>>;

/** In the order in which people are told. */
const WORDS = {
  comments: ["HTML comment", "HTML comments"],
  elements: ["hidden HTML element", "hidden HTML elements"],
  characters: ["invisible character", "invisible characters"],
  definitions: ["unused definition", "unused definitions"],
  behind: ["text behind a link, a picture or markup", "texts behind links, pictures and markup"],
  unread: ["line that could not be read in time", "lines that could not be read in time"],
  beyond: ["character beyond what is read", "characters beyond what is read"],
} as const;

export type HiddenKind = keyof typeof WORDS;

const hiddenKinds = Object.keys(WORDS) as HiddenKind[];

/** A text as people see it, and how much was left out of it. */
export type Shown = { text: string; leftOut: LeftOut };

/** The sum of several. */
export const allLeftOut = (parts: readonly LeftOut[]): LeftOut => {
  const sum: Partial<Record<HiddenKind, number>> = {};
  for (const part of parts)
    for (const kind of hiddenKinds) {
      const count = part[kind] ?? 0;
      if (count > 0) sum[kind] = (sum[kind] ?? 0) + count;
    }
  return sum;
};

/** In words, `2 HTML comments, 14 invisible characters`; empty when nothing was left out. */
export const leftOutText = (leftOut: LeftOut): string =>
  hiddenKinds
    .flatMap((kind) => {
      const count = leftOut[kind] ?? 0;
      return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${WORDS[kind][count === 1 ? 0 : 1]}`];
    })
    .join(", ");
