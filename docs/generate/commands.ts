import { readFileSync } from "node:fs";
import { commandNames, commandTable } from "../../src/forge/text/command-table.ts";

/** The page on labels and commands; its table is the one that the bot itself goes by. */
export const commandsPage = (): string => {
  const template = readFileSync(new URL("commands.md", import.meta.url), "utf8");
  return `${NOTE}\n\n${template.replace("{{commands}}", () => table())}`;
};

const NOTE =
  "<!-- Made by `npm run docs` from src/forge/text/command-table.ts and docs/generate/commands.md: change those. -->";

const table = (): string =>
  [
    "| command | on | what it does | options |",
    "|---|---|---|---|",
    ...commandNames.map((name) => {
      const { usage, on, does, options } = commandTable[name];
      const where = on === "both" ? "issues, pull requests" : on;
      return `| \`${usage}\` | ${where} | ${does} | ${options.map((each) => `\`--${each}\``).join(" ")} |`;
    }),
  ].join("\n");
