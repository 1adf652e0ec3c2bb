import { createHash } from "node:crypto";
import { type LeftOut, leftOutText } from "../forge/text/shown/left-out.ts";
import { onOneLine } from "./follow-up/one-line.ts";

/** Somebody's text in a thread's input, and what it is there: see `READING` in the roles' rules. */
export type Block = {
  kind: "quotation" | "instruction";
  /** What it was taken from: `issue #12`, `log`. */
  of: string;
  /** A login; null: nobody's, or nobody knows whose. */
  by: string | null;
  text: string;
  leftOut?: LeftOut;
};

/** The block in words for a model. Its end has a name that the text does not hold, so that no text can end its block. */
export const blockText = ({ kind, of, by, text, leftOut = {} }: Block): string => {
  const id = unusedId(text);
  const left = leftOutText(leftOut);
  const about = [
    attribute("of", of),
    ...(by === null ? [] : [attribute("by", by)]),
    ...(left === "" ? [] : [attribute("hidden-text-left-out", left)]),
  ];
  return `<${kind} id="${id}" ${about.join(" ")}>\n${text}\n</${kind} id="${id}">`;
};

/** The same text has the same name each time: what is asked for twice is one thread. */
const unusedId = (text: string): string => {
  for (let number = 0; ; number++) {
    const id = createHash("sha256").update(`${number}\n${text}`).digest("hex").slice(0, 12);
    if (!text.includes(id)) return id;
  }
};

const attribute = (name: string, value: string): string =>
  `${name}="${onOneLine(value)
    .replace(/["<>&]/g, "'")
    .slice(0, 300)
    .toWellFormed()}"`;
