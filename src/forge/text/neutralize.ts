import { BREAK, drawn } from "./invisible.ts";

/** More than people read, and well below what forges take. */
const MAX_CHARS = 20_000;

/**
 * Markdown from a model, a role or an issue, made fit to stand in the bot's own words: it mentions nobody, closes
 * nothing, stops no check, commands no bot, loads no image, links to no script, names no other repository's issues in short,
 * holds no HTML and nothing hidden, and is at most `maxChars` long (a note says what was cut). Blocks of code between fences stay as they are but for comment marks, indentation, and
 * what would close issues or stop checks as a part of a commit's message; such a block that was left open is closed, so that what follows is not swallowed.
 */
export const neutralize = (text: string, { maxChars = MAX_CHARS }: { maxChars?: number } = {}): string => {
  const { head, beyond } = beginning(text, maxChars);
  const blocks = fencedBlocks(cut(atLeftMargin(drawn(head).text.trim()), { maxChars, beyond }));
  return blocks
    .map((block) => (block.code ? plainCode(block.lines) : disarm(block.lines.join("\n"))))
    .join("\n");
};

/**
 * One line of plain text for titles and table cells: as `neutralize`, with no code blocks. Code between single backticks stays; a
 * backtick that would pair with one of the bot's own words around it does not.
 */
export const neutralizeLine = (text: string, { maxChars = 256 }: { maxChars?: number } = {}): string => {
  const line = disarm(drawn(beginning(text, maxChars).head).text.replace(/\s+/g, " ").trim()).replace(
    /^~(?=~~)/,
    `~${BREAK}`,
  );
  const kept = line.length <= maxChars ? line : `${withoutHalf(line.slice(0, maxChars - 1)).trimEnd()}…`;
  return kept.replace(/(?<![\\`])`[^`]+`(?!`)|`/g, (code) => (code.length > 1 ? code : "'"));
};

/** Of an enormous text only what may be shown of it is looked at. */
const beginning = (text: string, maxChars: number): { head: string; beyond: number } => {
  const most = 4 * maxChars + 1_000;
  const head = text.length <= most ? text : withoutHalf(text.slice(0, most));
  return { head, beyond: text.length - head.length };
};

const cut = (text: string, { maxChars, beyond }: { maxChars: number; beyond: number }): string => {
  if (text.length + beyond <= maxChars) return text;
  const kept = cutAtLine(text, maxChars).trimEnd();
  const fence = openFence(kept);
  const note = `… ${(text.length - kept.length + beyond).toLocaleString("en-US")} more characters were left out.`;
  return `${kept}\n${fence === null ? "" : `${fence}\n`}\n${note}`;
};

/** At most so many characters of a longer text: whole lines, unless the last one has more than half of them. */
export const cutAtLine = (text: string, maxChars: number): string => {
  const lineEnd = text.lastIndexOf("\n", maxChars);
  return withoutHalf(text.slice(0, lineEnd > maxChars / 2 ? lineEnd : maxChars));
};

/** Without the first half of a surrogate pair that a cut has split. */
const withoutHalf = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

/** Forges read "fixes #1" through emphasis, links and escapes; so does this. */
const KEYWORD = "(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|reopen(?:s|ed)?)";
const REFERENCE = [
  "[#!]\\d",
  "&(?:#|num|excl)",
  "GH-\\d",
  "[\\w.-]{1,100}/[\\w.-]{1,100}[#!]\\d",
  "https?://\\S{1,300}?/(?:issues|pulls?)/\\d",
].join("|");
const CLOSING = new RegExp(`(?<![A-Za-z0-9])(${KEYWORD})(?=[^A-Za-z0-9]{0,40}?(?:${REFERENCE}))`, "gi");

/** Marks by which forges leave out the checks of a commit. */
const SKIPPING = /\[(?=(?:skip|ci|no|actions)[ -](?:ci|skip|actions)\])|NO_(?=CI)|skip-(?=checks\s*:)/gi;

/** A line that bots obey, and what stands before it in lists and quotations. */
const COMMAND = /^((?:[ \t>*+-]|\d{1,9}[.)][ \t])*\/)(?=[a-z][\w-]*(?:\s|$))/gim;

/** Another repository's issue, which would show that it was named here. */
const ELSEWHERE = /(?<![\w./:@#?=&%~+-])(\w[\w.-]{0,99}\/[\w.-]{1,100})(?=[#!]\d)/g;

/** A link to what is no page and no address of mail, before its target. */
const STRANGE_TARGET = /\](?=\(\s*(?:<\s*)?(?!https?:|mailto:)[^\s()<>/?#]{1,100}:)/gi;

/** A merge may make a commit's message of the text, in which code is no code. */
const asMessage = (text: string): string =>
  text
    .replace(SKIPPING, (mark) => `${mark}${BREAK}`)
    .replace(CLOSING, (word) => `${word.slice(0, 2)}${BREAK}${word.slice(2)}`);

/** Text without what mentions, closes, stops checks, commands, loads or is HTML; everything else as it is. */
export const disarm = (text: string): string =>
  asMessage(text)
    .replace(/<(?=[A-Za-z/!?])/g, `<${BREAK}`)
    .replace(/&(?=#?\w{1,40};)/g, `&${BREAK}`)
    .replace(/!(?=\[)/g, `!${BREAK}`)
    .replace(COMMAND, `$1${BREAK}`)
    .replace(ELSEWHERE, `$1${BREAK}`)
    .replace(STRANGE_TARGET, `]${BREAK}`)
    // A definition holds for the whole comment: it would link other words, or put a note at its end.
    .replace(/\](?=:)/g, `]${BREAK}`)
    .replace(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9_])/g, `@${BREAK}`);

type Block = { code: boolean; lines: string[] };

/**
 * Fences moved to the left margin, with what is between them: by CommonMark they open a block of the document itself there,
 * wherever they stand, so that what looks like code here is code for the forge as well, and ends where it does here.
 */
const atLeftMargin = (text: string): string => {
  let open: { fence: string; indent: number } | null = null;
  const lines = text.split("\n").map((line) => {
    if (open !== null) {
      const blank = line.length - line.trimStart().length;
      const inside = line.slice(Math.min(blank, open.indent));
      if (closes(inside, open.fence)) open = null;
      return inside;
    }
    const outside = line.trimStart();
    const fence = openingOf(outside);
    if (fence === null) return line;
    open = { fence, indent: line.length - outside.length };
    return outside;
  });
  return lines.join("\n");
};

const fencedBlocks = (text: string): Block[] => {
  const blocks: Block[] = [];
  let fence: string | null = null;
  let lines: string[] = [];
  const end = (code: boolean): void => {
    if (lines.length > 0) blocks.push({ code, lines });
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (fence === null) {
      fence = openingOf(line);
      if (fence !== null) end(false);
      lines.push(line);
    } else {
      lines.push(line);
      if (closes(line, fence)) {
        end(true);
        fence = null;
      }
    }
  }
  if (fence !== null) lines.push(fence);
  end(fence !== null);
  return blocks;
};

const openingOf = (line: string): string | null => /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null;

const closes = (line: string, fence: string): boolean => {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return run !== undefined && run[0] === fence[0] && run.length >= fence.length;
};

/** The fence that `text` leaves open. */
const openFence = (text: string): string | null => {
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    if (fence === null) fence = openingOf(line);
    else if (closes(line, fence)) fence = null;
  }
  return fence;
};

/** Languages that forges draw instead of show. */
const DRAWN = /^(mermaid|geojson|topojson|stl|math|suggestion)/i;

const plainCode = ([opening = "", ...rest]: readonly string[]): string => {
  const fence = openingOf(opening) ?? "";
  const language = /^[\w+#.-]{1,30}/.exec(opening.slice(fence.length).trim())?.[0] ?? "";
  const code = asMessage(rest.join("\n")).replaceAll("<!--", `<${BREAK}!--`);
  return [`${fence}${DRAWN.test(language) ? "text" : language}`, code].join("\n");
};
