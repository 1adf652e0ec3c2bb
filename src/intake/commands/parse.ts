import { didYouMean } from "../../base/nearest.ts";
import {
  type CommandName,
  commandNames,
  commandTable,
  type OptionName,
  optionNames,
} from "../../forge/text/command-table.ts";
import { visible } from "../../forge/text/invisible.ts";

export type CommandOptions = {
  /** A model's alias. */
  model?: string;
  /** US dollars. */
  budgetUsd?: number;
  workflow?: string;
};

/** What a comment asks for. */
export type Command = {
  name: CommandName;
  /** What the repository's configuration calls it, or the command's own name. */
  written: string;
  /** The first word after the command, where the command takes one: a step, a workflow. */
  argument: string | null;
  /** What else was said, on the line and below it; empty when nothing was. */
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
const MAX_NOTE_CHARS = 10_000;

/**
 * False when it is certain, without a repository's configuration, that the text holds no command: a line that begins with a
 * slash or a mention.
 */
export const mayHoldCommand = (body: string): boolean =>
  /^\s{0,3}[/@][A-Za-z]/m.test(visible(body.slice(0, MAX_CHARS)));

/**
 * The command in a comment: on a line of its own, outside code and quotations, at most one. Lines below it, and the rest of its
 * line, are its note.
 */
export const parseComment = (body: string, rules: CommandRules): ParsedComment => {
  const lines = linesOf(visible(body.slice(0, MAX_CHARS)));
  const found = lines.flatMap(({ text, isCode }, index) => {
    const called = isCode ? null : callIn(text, rules);
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
    return own[word] === false ? null : { word, rest: slash[2] ?? "", shown: `/${word}` };
  }
  const mention = MENTION.exec(line);
  if (mention === null) return null;
  const isBot = mentions.some((name) => name.toLowerCase() === mention[1]?.toLowerCase());
  const word = (mention[2] ?? "").toLowerCase();
  return isBot ? { word, rest: mention[3] ?? "", shown: `@${mention[1]} ${word}` } : null;
};

const read = (call: Call & { below: string }, { own }: CommandRules): ParsedComment => {
  const workflow = Object.hasOwn(own, call.word) ? own[call.word] : undefined;
  const name = typeof workflow === "string" ? "run" : commandNames.find((known) => known === call.word);
  if (name === undefined) {
    const known = [...commandNames, ...Object.keys(own).filter((word) => own[word] !== false)];
    return problem(`\`${call.shown}\` is no command${didYouMean(call.word, known)} \`/help\` shows all.`);
  }
  const options = optionsIn(call, name);
  if ("problem" in options) return problem(options.problem);
  const { argument, rest } = argumentOf(name, { rest: options.rest, workflow });
  if (argument === null && name in ARGUMENTS)
    return problem(`\`/${name}\` needs ${ARGUMENTS[name]}: \`${commandTable[name].usage}\`.`);
  const note = [rest, call.below].filter(Boolean).join("\n").slice(0, MAX_NOTE_CHARS).toWellFormed();
  return { kind: "command", command: { name, written: call.word, argument, note, options: options.options } };
};

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

type Options = { options: CommandOptions; rest: string } | { problem: string };

/** Options stand anywhere on the command's line, as `--budget 3` or `--budget=3`; in backticks they are text. */
const optionsIn = ({ rest, shown }: Call, name: CommandName): Options => {
  const options: CommandOptions = {};
  const words: string[] = [];
  const tokens = rest.match(/`[^`]*`|\S+/g) ?? [];
  const allowed = commandTable[name].options;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    const option = /^--([A-Za-z][\w-]*)(?:=(.*))?$/.exec(token);
    if (option === null) {
      words.push(token);
      continue;
    }
    const written = option[1] ?? "";
    const known = optionNames.find((one) => one === written);
    if (known === undefined || !allowed.includes(known))
      return { problem: unknownOption(shown, { written, allowed }) };
    const value = option[2] ?? tokens[++at] ?? "";
    const wrong = take(options, { option: known, value });
    if (wrong !== null) return { problem: wrong };
  }
  return { options, rest: words.join(" ") };
};

const unknownOption = (
  shown: string,
  { written, allowed }: { written: string; allowed: readonly OptionName[] },
): string => {
  const takes =
    allowed.length === 0 ? "takes no options" : `takes ${allowed.map((one) => `\`--${one}\``).join(", ")}`;
  const guess = didYouMean(written, allowed).replace("; d", " D");
  return `\`${shown}\` ${takes}, not \`--${written}\`.${guess} Text that looks like an option goes in backticks.`;
};

const take = (
  options: CommandOptions,
  { option, value }: { option: OptionName; value: string },
): string | null => {
  if (value === "" || value.startsWith("--")) return `\`--${option}\` needs a value.`;
  switch (option) {
    case "model":
    case "workflow":
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) return `\`--${option}\` needs a name.`;
      options[option] = value;
      return null;
    case "budget": {
      const usd = /^\$?(\d{1,6}(?:\.\d{1,4})?)$/.exec(value)?.[1];
      if (usd === undefined || Number(usd) <= 0) return "`--budget` needs US dollars, as in `--budget 3`.";
      options.budgetUsd = Number(usd);
      return null;
    }
  }
};

const problem = (text: string): ParsedComment => ({ kind: "problem", problem: text });

const linesOf = (text: string): { text: string; isCode: boolean }[] => {
  let fence: string | null = null;
  return text.split("\n").map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = fence !== null || mark !== undefined;
    if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
    return { text: line.trimEnd(), isCode };
  });
};
