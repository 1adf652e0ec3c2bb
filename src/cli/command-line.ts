import { type CommandEntry, commands } from "./commands.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { groupHelp, programHelp } from "./help.ts";

/** Runs one command line and answers its exit code; what fails is told on standard error. */
export const runCommandLine = async (args: readonly string[], context: Context): Promise<ExitCode> => {
  try {
    return await dispatch(args, context);
  } catch (error) {
    const { describeError } = await import("./report-error.ts");
    const stack = /^(debug|trace)$/.test(context.env.LOG_LEVEL ?? "") ? "shown" : "hidden";
    const { text, exitCode } = describeError(error, { stack });
    context.stderr.write(text);
    return exitCode;
  }
};

const dispatch = async (args: readonly string[], context: Context): Promise<ExitCode> => {
  const [first = "--help", second] = args;
  if (first === "--help" || first === "-h") return print(context, programHelp(commands));
  if (first === "--version" || first === "-V") return print(context, `${await version()}\n`);
  if (first === "help") return dispatch([...args.slice(1), "--help"], context);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) return runCommand(await find(first, commands), args.slice(1), context);
  if (second === "--help" || second === "-h") return print(context, groupHelp(first, group));
  if (second === undefined || second.startsWith("-")) throw await incomplete(first, group);
  return runCommand(await find(`${first} ${second}`, group), args.slice(2), context);
};

const runCommand = async (
  entry: CommandEntry,
  args: readonly string[],
  context: Context,
): Promise<ExitCode> => {
  const [{ command }, { parseArguments, allOptions }] = await Promise.all([
    entry.load(),
    import("./parse-arguments.ts"),
  ]);
  const values = parseArguments(entry.name, command, args);
  if (values !== "help") return command.run(values, context);
  const { commandHelp } = await import("./help.ts");
  return print(context, commandHelp(entry.name, { ...command, options: allOptions(command) }));
};

const print = (context: Context, text: string): ExitCode => {
  context.stdout.write(text);
  return exitCodes.done;
};

const find = async (name: string, among: readonly CommandEntry[]): Promise<CommandEntry> => {
  const entry = among.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const { didYouMean } = await import("../base/nearest.ts");
  const { usageError } = await import("./parse-arguments.ts");
  const names = new Set(
    commands.flatMap((candidate) => [candidate.name, candidate.name.split(" ")[0] ?? ""]),
  );
  const kind = name.startsWith("-") ? "option" : "command";
  throw usageError("", `unknown ${kind} "${name}"${didYouMean(name, names)}`);
};

const incomplete = async (group: string, entries: readonly CommandEntry[]) => {
  const { usageError } = await import("./parse-arguments.ts");
  const names = entries.map(({ name }) => name.slice(group.length + 1)).join(", ");
  return usageError(group, `"uwf ${group}" needs a command: ${names}`);
};

const version = async (): Promise<string> => {
  const { readFileSync } = await import("node:fs");
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
};
