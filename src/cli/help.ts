import type { Command } from "./command.ts";
import type { CommandEntry } from "./commands.ts";

const pad = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

/** What `uwf --help` prints. */
export const programHelp = (commands: readonly CommandEntry[]): string => {
  const rows = pad(commands.map(({ name, summary }) => [name, summary]));
  const lines: string[] = [];
  for (const [index, { name }] of commands.entries()) {
    const group = groupOf(name);
    const before = commands[index - 1];
    if (before !== undefined && group !== groupOf(before.name)) lines.push("");
    lines.push(rows[index] ?? "");
  }
  return `uwf turns issues into pull requests.

Usage: uwf <command> [options]

${lines.join("\n")}

Every command takes --help. Threads and nodes are named by their id or its first 8 characters or more.
Settings are in config.yaml in $UWF_STORAGE_ROOT (~/.uwf); LOG_LEVEL=debug shows more of what goes wrong.
Exit codes: 0 done, 1 failed, 2 usage or configuration, 3 waiting for a person.

Example: uwf solve --repo . --issue "The parser drops the last line"
`;
};

/** What `uwf thread --help` prints. */
export const groupHelp = (group: string, commands: readonly CommandEntry[]): string =>
  `Usage: uwf ${group} <command> [options]

${pad(commands.map(({ name, summary }) => [name, summary])).join("\n")}
`;

const groupOf = (name: string): string => (name.includes(" ") ? (name.split(" ")[0] ?? "") : "");

/** What `uwf <name> --help` prints. */
export const commandHelp = (
  name: string,
  command: Pick<Command, "description" | "arguments" | "options" | "examples">,
): string => {
  const args = Object.entries(command.arguments);
  const usage = [`uwf ${name}`, ...args.map(([key, argument]) => showArgument(key, argument)), "[options]"];
  const options = Object.entries(command.options).map(([key, option]): [string, string] => [
    `${option.short === undefined ? "" : `-${option.short}, `}--${key}${option.type === "string" ? ` <${option.value ?? "value"}>` : ""}`,
    option.summary,
  ]);
  const rows = pad([
    ...args.map(([key, { summary }]): [string, string] => [`<${key}>`, summary]),
    ...options,
  ]);
  return [
    `Usage: ${usage.join(" ")}`,
    "",
    ...wrap(command.description),
    "",
    ...(args.length > 0 ? ["Arguments:", ...rows.slice(0, args.length), ""] : []),
    "Options:",
    ...rows.slice(args.length),
    "",
    command.examples.length > 1 ? "Examples:" : "Example:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
};

const showArgument = (key: string, argument: { optional?: true; rest?: true }): string => {
  const name = `<${key}>${argument.rest ? "…" : ""}`;
  return argument.optional ? `[${name}]` : name;
};

const lineWidth = 100;

const wrap = (text: string): string[] => {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= lineWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};
