import { isObject } from "../base/json.ts";
import { plainLine } from "./terminal-text.ts";

/**
 * What a tool call is about, on one line: the command, the path. `args` is what the model wrote, which may be
 * anything.
 */
export const summarizeCall = (name: string, args: string): string => {
  const values = parse(args);
  if (values === undefined) return plainLine(args);
  return plainLine((summaries[name] ?? everything)(values));
};

type Values = Record<string, unknown>;

const parse = (args: string): Values | undefined => {
  try {
    const value: unknown = JSON.parse(args);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const text = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** A program that plays a role has its command line, and nothing else. */
const everything = ({ command, ...values }: Values): string =>
  typeof command === "string" && Object.keys(values).length === 0
    ? command
    : Object.entries(command === undefined ? values : { command, ...values })
        .map(([key, value]) => `${key}=${text(value)}`)
        .join(" ");

const path = ({ path }: Values): string => text(path);

const lines = ({ offset, limit }: Values): string => {
  if (offset === undefined && limit === undefined) return "";
  const from = Number(offset ?? 1);
  return limit === undefined ? ` from line ${from}` : ` lines ${from}-${from + Number(limit) - 1}`;
};

const within = (values: Values): string =>
  [
    values.path === undefined ? "" : ` in ${text(values.path)}`,
    values.glob === undefined ? "" : ` (${text(values.glob)})`,
  ].join("");

const summaries: Readonly<Record<string, (values: Values) => string>> = {
  read_file: (values) => path(values) + lines(values),
  write_file: path,
  patch_file: path,
  list_files: (values) => path(values) || ".",
  shell_exec: (values) =>
    text(values.command) + (values.cwd === undefined ? "" : ` (in ${text(values.cwd)})`),
  search_files: (values) => `"${text(values.pattern)}"${within(values)}`,
  cas_get: ({ hash }) => text(hash).slice(0, 13),
  // Its arguments are the step's output, which is shown when the step has ended.
  resolve: () => "",
};
