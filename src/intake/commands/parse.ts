import { didYouMean, nearest } from "../../base/nearest.ts";
import { type CommandName, commandNames, commandTable } from "../../forge/text/command-table.ts";
import { visible } from "../../forge/text/invisible.ts";
import { type CommandOptions, optionsIn } from "./read-options.ts";
import { writtenLines } from "./written-lines.ts";

/** What a comment asks for. */
export type Command = {
  name: CommandName;
  /** What the repository's configuration calls it, or the command's own name. */
  written: string;
  /** The first word after the command, where the command takes one: a step, a workflow. */
  argument: string | null;
  /** What else was said, on the line and below it, as it was written; empty when nothing was. */
  note: string;
  options: CommandOptions;
};

export type ParsedComment =
  | { kind: "command"; command: Command }
  /** Something that looks like a command and is none: the answer, for people. */
  | { kind: "problem"; problem: string }
  | { kind: "nothing" };

export type CommandRules = {
  /** The bot's logins, as people mention them. */
  mentions: readonly string[];
  /** Words of the repository's own: the workflow that the word runs; false: the word is somebody else's. */
  own: Readonly<Record<string, string | false>>;
};

const SLASH = /^\/([a-z][a-z0-9-]{0,30})(?=\s|$)[ \t]*(.*)$/i;
const MENTION =
  /^@([A-Za-z0-9][A-Za-z0-9_.-]{0,99}(?:\[bot\])?)[,:]?[ \t]+\/?([a-z][a-z0-9-]{0,30})(?=\s|$)[ \t]*(.*)$/i;
/** Forges take 65,536 characters and more. */
const MAX_CHARS = 100_000;

/**
 * False when it is certain, without a repository's configuration, that the text holds no command: a line that begins with a
 * slash or a mention.
 */
export const mayHoldCommand = (body: string): boolean =>
  /^\s{0,3}[/@][A-Za-z]/m.test(visible(body.slice(0, MAX_CHARS)));

/**
 * The command in a comment: on a line of its own, outside code, quotations and what is not shown, at most one. Lines below it, and the
 * rest of its line, are its note. Words that are far from any command are other programs', or paths.
 */
export const parseComment = (body: string, rules: CommandRules): ParsedComment => {
  const lines = writtenLines(visible(body.slice(0, MAX_CHARS)));
  const found = lines.flatMap(({ text, isSaid }, index) => {
    const called = isSaid ? callIn(text, rules) : null;
    return called === null ? [] : [{ ...called, index }];
  });
  const [first, second] = found;
  if (first === undefined) return { kind: "nothing" };
  if (second !== undefined)
    return problem(
      `One command per comment, please: this one holds \`${first.shown}\` and \`${second.shown}\`.`,
    );
  const below = lines
    .slice(first.index + 1)
    .map(({ text }) => text)
    .join("\n");
  return read({ ...first, below: below.trim() }, rules);
};

type Call = { word: string; rest: string; shown: string };

const callIn = (line: string, { mentions, own }: CommandRules): Call | null => {
  const slash = SLASH.exec(line);
  if (slash !== null) {
    const word = (slash[1] ?? "").toLowerCase();
    return isMeantForUs(word, own) ? { word, rest: slash[2] ?? "", shown: `/${word}` } : null;
  }
  const mention = MENTION.exec(line);
  if (mention === null) return null;
  const isBot = mentions.some((name) => name.toLowerCase() === mention[1]?.toLowerCase());
  const word = (mention[2] ?? "").toLowerCase();
  return isBot ? { word, rest: mention[3] ?? "", shown: `@${mention[1]} ${word}` } : null;
};

/** In so few letters, one that differs is another word. */
const MIN_TYPO = 4;

/** Fingers rarely slip on the first letter: `/assign` is another program's. */
const isTypo = (word: string, known: readonly string[]): boolean =>
  nearest(word, known)?.startsWith(word.charAt(0)) === true;

const isMeantForUs = (word: string, own: CommandRules["own"]): boolean => {
  if (own[word] === false) return false;
  const known = knownWords(own);
  return known.includes(word) || (word.length >= MIN_TYPO && isTypo(word, known));
};

const knownWords = (own: CommandRules["own"]): string[] => [
  ...new Set([...commandNames, ...Object.keys(own)].filter((word) => own[word] !== false)),
];

const read = (call: Call & { below: string }, { own }: CommandRules): ParsedComment => {
  const workflow = Object.hasOwn(own, call.word) ? own[call.word] : undefined;
  const name = typeof workflow === "string" ? "run" : commandNames.find((known) => known === call.word);
  if (name === undefined) {
    const meant = didYouMean(call.word, knownWords(own), (word) => `\`/${word}\``) || ".";
    return problem(`\`${call.shown}\` is no command${meant} \`/help\` shows all.`);
  }
  if (workflow === false) return problem(`\`${call.shown}\` is switched off in this repository.`);
  const options = optionsIn(call, name);
  if ("problem" in options) return problem(options.problem);
  const { argument, rest } = argumentOf(name, { rest: options.rest, workflow });
  if (name === "approve" && rest !== "") return problem(APPROVE_AS_SHOWN);
  if (argument === null && name in ARGUMENTS)
    return problem(`\`/${name}\` needs ${ARGUMENTS[name]}: \`${commandTable[name].usage}\`.`);
  const note = [rest, call.below].filter(Boolean).join("\n").trim();
  return { kind: "command", command: { name, written: call.word, argument, note, options: options.options } };
};

/** Words beside it could mean that something else is approved. */
const APPROVE_AS_SHOWN =
  "`/approve` stands alone: it goes on with exactly the plan that is shown. `/resume` with a note changes the plan.";

const ARGUMENTS: Partial<Record<CommandName, string>> = { fork: "a step", run: "a workflow" };

const argumentOf = (
  name: CommandName,
  { rest, workflow }: { rest: string; workflow: string | false | undefined },
): { argument: string | null; rest: string } => {
  if (typeof workflow === "string") return { argument: workflow, rest };
  if (!(name in ARGUMENTS)) return { argument: null, rest };
  const [argument = "", ...more] = rest.split(/\s+/);
  return { argument: argument === "" ? null : argument, rest: more.join(" ") };
};

const problem = (text: string): ParsedComment => ({ kind: "problem", problem: text });
