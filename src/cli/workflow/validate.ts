import { AppError } from "../../base/errors.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { counted } from "../format.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../style.ts";
import { plainLine } from "../terminal-text.ts";

export const command = defineCommand({
  description:
    "Checks workflow files. Problems are printed as `file:line:column: problem`; exits 2 when there is one.",
  arguments: { files: { summary: "Workflow files (YAML).", rest: true } },
  options: { json: jsonOption },
  examples: ["uwf workflow validate .uwf/workflows/*.yaml"],
  run: async ({ arguments: { files }, options }, context) => {
    const { loadWorkflowFile } = await import("./load-file.ts");
    const style = await styleFor(context.stdout, context);
    const results: { file: string; name: string | null; problems: string[] }[] = [];
    for (const file of files) {
      try {
        const { name, roles } = await loadWorkflowFile(file, context);
        results.push({ file, name, problems: [] });
        const about = style.dim(`(${name}, ${counted(Object.keys(roles).length, "role")})`);
        if (!options.json) context.stdout.write(`${style.green("✓")} ${file} ${about}\n`);
      } catch (error) {
        if (!(error instanceof AppError) || error.remedy !== "fix-input") throw error;
        const problems = error.message.split("\n").map((line) => plainLine(line));
        results.push({ file, name: null, problems });
        if (!options.json)
          context.stdout.write(problems.map((line) => `${style.red("✗")} ${line}\n`).join(""));
      }
    }
    if (options.json) printJson(context, results);
    return results.every(({ problems }) => problems.length === 0) ? exitCodes.done : exitCodes.usage;
  },
});
