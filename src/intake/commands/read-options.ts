import { didYouMean } from "../../base/nearest.ts";
import {
  type CommandName,
  commandTable,
  type OptionName,
  optionNames,
} from "../../forge/text/command-table.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";

export type CommandOptions = {
  /** A model's alias. */
  model?: string;
  /** US dollars. */
  budgetUsd?: number;
  workflow?: string;
  /** The workflow that a conversation is to change, or to begin from: one of both. */
  edit?: string;
  copy?: string;
};

export type ReadOptions = { options: CommandOptions; rest: string } | { problem: string };

/** Options stand anywhere on the command's line, as `--budget 3` or `--budget=3`; in backticks they are text. */
export const optionsIn = (
  { rest, shown }: { rest: string; shown: string },
  name: CommandName,
): ReadOptions => {
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
  if (options.edit !== undefined && options.copy !== undefined)
    return { problem: `\`${shown}\` takes \`--edit\` or \`--copy\`, not both.` };
  return { options, rest: words.join(" ") };
};

const unknownOption = (
  shown: string,
  { written, allowed }: { written: string; allowed: readonly OptionName[] },
): string => {
  const takes =
    allowed.length === 0 ? "takes no options" : `takes ${allowed.map((one) => `\`--${one}\``).join(", ")}`;
  const meant = didYouMean(written, allowed, (option) => `\`--${option}\``) || ".";
  const not = allowed.length === 0 ? "" : `, not ${inlineCode(`--${written}`, { maxChars: 40 })}`;
  return `\`${shown}\` ${takes}${not}${meant} Text that looks like an option goes in backticks.`;
};

const take = (
  options: CommandOptions,
  { option, value }: { option: OptionName; value: string },
): string | null => {
  if (value === "" || value.startsWith("--")) return `\`--${option}\` needs a value.`;
  if (options[option === "budget" ? "budgetUsd" : option] !== undefined)
    return `\`--${option}\` is given twice.`;
  switch (option) {
    case "model":
    case "workflow":
    case "edit":
    case "copy":
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
