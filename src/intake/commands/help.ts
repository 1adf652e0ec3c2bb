import { commandNames, commandTable } from "../../forge/text/command-table.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import { type Handler, told } from "./request.ts";

/** The commands that mean something where the question was asked. */
export const help: Handler = async (_parts, { settings }, { issue }) => {
  const here = issue.isPullRequest ? "pull requests" : "issues";
  const rows = commandNames
    .map((name) => ({ name, ...commandTable[name] }))
    .filter(({ name, on }) => (on === "both" || on === here) && settings.commands[name] !== false)
    .map(({ usage, does, options }) => {
      const more = options.length === 0 ? "" : ` (${options.map((one) => `\`--${one}\``).join(", ")})`;
      return `- \`${usage}\` ${does}${more}`;
    });
  const own = Object.entries(settings.commands).flatMap(([word, workflow]) =>
    workflow === false ? [] : [`- ${inlineCode(`/${word} [input]`)} runs ${inlineCode(workflow)}`],
  );
  return told(
    [
      "I take these commands from people who may write here, each on a line of its own:",
      "",
      ...rows,
      ...own,
    ].join("\n"),
  );
};
