import { AppError } from "../../../base/errors.ts";
import { withinTime } from "../../../base/time-limit.ts";
import { cutMarkdown } from "./cut-markdown.ts";
import { allLeftOut, type LeftOut, type Shown } from "./left-out.ts";

/** Milliseconds of computing. Texts of people take a tenth; only what was made to be slow takes more. */
const MAX_MS = 300;
/** What is cut out of a text may leave other parts of it together that are hidden then. */
const MOST_PASSES = 10;

/** Markdown as people see it; of one that was made to take long, or more of the stack than there is, only lines that can hide nothing. */
export const shownInTime = (text: string): Shown =>
  orWithoutSyntax(text, () => withinTime("reading Markdown", MAX_MS, () => shown(text)));

/** The same for a text so short that it takes no time to speak of, whatever it is. */
export const shownAtLeisure = (text: string): Shown => orWithoutSyntax(text, () => shown(text));

const orWithoutSyntax = (text: string, work: () => Shown): Shown => {
  try {
    return work();
  } catch (error) {
    const isTooMuch = error instanceof RangeError || (error instanceof AppError && error.code === "too-slow");
    if (!isTooMuch) throw error;
    return withoutSyntax(text);
  }
};

const shown = (text: string): Shown => {
  const parts: LeftOut[] = [];
  let now = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = cutMarkdown(now);
    if (next.text === now) return { text: now, leftOut: allLeftOut(parts) };
    parts.push(next.leftOut);
    now = next.text;
  }
  const rest = withoutSyntax(now);
  return { text: rest.text, leftOut: allLeftOut([...parts, rest.leftOut]) };
};

/** Only lines in which nothing can be hidden. */
const withoutSyntax = (text: string): Shown => {
  const lines = text.split("\n");
  const kept = lines.filter((line) => !/[<>&[\]$|`~%]/.test(line));
  return { text: kept.join("\n"), leftOut: { unread: lines.length - kept.length } };
};
