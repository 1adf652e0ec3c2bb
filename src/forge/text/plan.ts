import { describeValue } from "../../base/describe-value.ts";
import { isObject, type Json } from "../../base/json.ts";
import { makeNode } from "../../store/node.ts";
import { fieldLabel } from "./field-label.ts";
import { plainLine, plainText } from "./plain-text.ts";

/** What a comment has room for beside it. */
const MAX_CHARS = 30_000;
const OPENING = "<!-- uwf:plan:";
const CLOSING = "<!-- /uwf:plan -->";

/**
 * A role's answer that a person has to approve, as Markdown between hidden marks that name its hash: all of it, nothing
 * that would not be seen, the same text for the same answer. See `isShownIn` for one that is too long.
 */
export const planBlock = (output: unknown): string => {
  const text = whole(output);
  return between(output, text.length <= MAX_CHARS ? text : TOO_LONG);
};

const TOO_LONG = "The plan is too long to be shown whole, so nobody can approve it. Ask for a shorter one.";

/**
 * True when a comment holds exactly that block, once: line ends and white space at the ends of lines are all that may
 * differ. Never true of an answer that is too long to be shown whole.
 */
export const isShownIn = (commentBody: string, output: unknown): boolean => {
  if (!canBeApproved(output)) return false;
  const body = trimmedLines(commentBody);
  const from = body.indexOf(OPENING);
  const end = body.indexOf(CLOSING, from);
  if (from === -1 || end === -1 || body.indexOf(OPENING, from + 1) !== -1) return false;
  return body.slice(from, end + CLOSING.length) === trimmedLines(planBlock(output));
};

/** Whether people see all of it. */
export const canBeApproved = (output: unknown): boolean => whole(output).length <= MAX_CHARS;

const between = (output: unknown, text: string): string => {
  const { hash } = makeNode("output", { value: output as Json });
  return `${OPENING}${hash} -->\n${text}\n\n${CLOSING}`;
};

const whole = (output: unknown): string => {
  if (!isObject(output)) return plainText(typeof output === "string" ? output : JSON.stringify(output));
  const { summary, $status: _, ...rest } = output;
  const fields = Object.keys(rest).sort(byRank);
  return [
    ...(summary === undefined ? [] : [plainText(typeof summary === "string" ? summary : inWords(summary))]),
    ...fields.flatMap((key) => field(key, rest[key])),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
};

const field = (key: string, value: unknown): string[] => {
  const label = plainLine(fieldLabel(key));
  if (Array.isArray(value)) {
    const items = value.map((item, index) => `${index + 1}. ${plainLine(inWords(item))}`);
    return items.length === 0 ? [] : [`**${label}**\n\n${items.join("\n")}`];
  }
  const text = typeof value === "string" ? plainText(value) : plainLine(inWords(value));
  return text === "" ? [] : [`**${label}**\n\n${text}`];
};

/** Stored values keep no order of their own. */
const inWords = (value: unknown): string => describeValue(sorted(value), { code: (text) => `\`${text}\`` });

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort(byRank);
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
};

/** As people would tell it. */
const FIRST = ["title", "what", "where", "why", "steps", "verification", "risks", "questions"];

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1);

const rank = (key: string): number => {
  const at = FIRST.indexOf(key);
  return at === -1 ? FIRST.length : at;
};

const trimmedLines = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .trim();
