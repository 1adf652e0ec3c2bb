import { defineCommand, jsonOption } from "./command.ts";
import type { Check } from "./doctor/check.ts";
import { runChecks } from "./doctor/checks.ts";
import { exitCodes } from "./exit-code.ts";
import { counted } from "./format.ts";
import { printJson } from "./print.ts";
import { type Style, styleFor } from "./style.ts";
import { padEnd, plainLine } from "./terminal-text.ts";

export const command = defineCommand({
  description:
    "Looks for everything that uwf needs here, and says how to get what is missing. Exits 2 when something needed is missing.",
  arguments: {},
  options: {
    online: { type: "boolean", summary: "Ask the default model for a word, which costs a few tokens." },
    json: jsonOption,
  },
  examples: ["uwf doctor", "uwf doctor --online"],
  run: async ({ options }, context) => {
    const checks = await runChecks(context, { online: options.online });
    const missing = checks.filter(({ state }) => state === "missing").length;
    if (options.json) printJson(context, checks);
    else {
      const style = await styleFor(context.stdout, context);
      context.stdout.write(renderChecks(checks, style));
      context.stdout.write(missing === 0 ? "\nReady.\n" : `\n${counted(missing, "thing")} missing.\n`);
    }
    return missing === 0 ? exitCodes.done : exitCodes.usage;
  },
});

export const renderChecks = (checks: readonly Check[], style: Style): string => {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, state, detail, hint }) => {
      const mark = { ok: style.green("✓"), missing: style.red("✗"), optional: style.yellow("–") }[state];
      const line = `${mark} ${style.bold(padEnd(name, width))}  ${plainLine(detail)}\n`;
      return hint === null ? line : `${line}${" ".repeat(width + 4)}${style.dim(`→ ${plainLine(hint)}`)}\n`;
    })
    .join("");
};
