import { parseArgs } from "node:util";
import { inputError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Command, Option, ParsedValues } from "./command.ts";

type Syntax = Pick<Command, "arguments" | "options">;

const help: Option = { type: "boolean", summary: "Show this help.", short: "h" };

export const allOptions = (command: Syntax): Record<string, Option> => ({ ...command.options, help });

/** Checks what stands after the command's name. Throws `usage` errors that name what is wrong. */
export const parseArguments = (
  name: string,
  command: Syntax,
  args: readonly string[],
): ParsedValues | "help" => {
  const options = allOptions(command);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(options).map(([key, option]) => [key, parserOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | boolean | readonly string[] | undefined> = {};
  const positionals: string[] = [];
  for (const [key, { type, many }] of Object.entries(options)) {
    if (type === "boolean") values[key] = false;
    if (many) values[key] = [];
  }
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const value = optionValue(name, options, token);
    const before = values[token.name];
    values[token.name] = Array.isArray(before) ? [...before, String(value)] : value;
  }
  if (values.help === true) return "help";
  return { arguments: argumentsOf(name, command, positionals), options: values };
};

const parserOption = ({ type, short }: Option) => (short === undefined ? { type } : { type, short });

const optionValue = (
  name: string,
  options: Readonly<Record<string, Option>>,
  token: { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string | true => {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (option === undefined) {
    const known = Object.keys(options).map((key) => `--${key}`);
    throw usageError(name, `"uwf ${name}" has no option ${token.rawName}${didYouMean(token.rawName, known)}`);
  }
  if (option.type === "boolean") {
    if (token.value === undefined) return true;
    throw usageError(name, `option ${token.rawName} takes no value`);
  }
  const { value } = token;
  if (value === undefined || (!token.inlineValue && /^-./.test(value)))
    throw usageError(
      name,
      `option ${token.rawName} needs a value: ${token.rawName} <${option.value ?? "value"}>`,
    );
  return value;
};

const argumentsOf = (
  name: string,
  { arguments: declared }: Syntax,
  positionals: readonly string[],
): ParsedValues["arguments"] => {
  const given = [...positionals];
  const values: Record<string, string | readonly string[] | undefined> = {};
  for (const [key, argument] of Object.entries(declared)) {
    if (given[0] === undefined && !argument.optional)
      throw usageError(name, `"uwf ${name}" needs <${key}>: ${lowerFirst(argument.summary)}`);
    values[key] = argument.rest ? given.splice(0) : given.shift();
  }
  const [left] = given;
  if (left !== undefined) throw usageError(name, `"uwf ${name}" does not take the argument "${left}"`);
  return values;
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");

export const usageError = (name: string, message: string) =>
  inputError("usage", message, `See \`uwf ${name} --help\`.`.replace("  ", " "));

/** The number that an option gives. Throws `usage` when it is none, or below `min`. */
export const numberOption = (
  text: string,
  {
    name,
    option,
    min,
    max = Number.POSITIVE_INFINITY,
    whole,
  }: { name: string; option: string; min: number; max?: number; whole?: true },
): number => {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= min && number <= max && (!whole || Number.isSafeInteger(number)))
    return number;
  const range =
    max < Number.POSITIVE_INFINITY ? ` from ${min} to ${max}` : min > 0 ? ` of ${min} or more` : "";
  const kind = `a ${whole ? "whole " : ""}number${range}`;
  throw usageError(name, `option --${option} must be ${kind}, not "${text}"`);
};
