import { inputError } from "../../base/errors.ts";
import type { Context } from "../context.ts";

export const forgeKinds = ["github", "forgejo", "none"] as const;
export type ForgeChoice = (typeof forgeKinds)[number];

/** What `--forge` says; undefined without it. Throws `usage`. */
export const forgeFrom = (option: string | undefined): ForgeChoice | undefined => {
  const found = forgeKinds.find((kind) => kind === option);
  if (option !== undefined && found === undefined)
    throw inputError(
      "usage",
      `option --forge must be ${forgeKinds.join(", ")}, not ${JSON.stringify(option)}`,
    );
  return found;
};

/** Asks which forge the bot is to serve. */
export const askForForge = async (context: Context): Promise<ForgeChoice> => {
  const { openTerminal } = await import("./terminal.ts");
  const terminal = openTerminal(context);
  try {
    for (;;) {
      const answer = (await terminal.ask("Forge to serve: github, forgejo or none [none]: ")).trim();
      const found = forgeKinds.find((kind) => kind === (answer === "" ? "none" : answer));
      if (found !== undefined) return found;
      terminal.say("One of the three, please.");
    }
  } finally {
    terminal.close();
  }
};
