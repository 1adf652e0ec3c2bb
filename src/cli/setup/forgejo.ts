import { randomBytes } from "node:crypto";
import { parseEnv } from "node:util";
import { inputError } from "../../base/errors.ts";
import type { ForgejoConfig } from "../../config/config.ts";
import type { Context } from "../context.ts";
import { styleFor } from "../style.ts";

export type ForgejoSetup = { root: string; url: string | undefined; isAsking: boolean };

/**
 * Keeps Forgejo's address, the bot's token and a webhook secret in `.env`, once the token was seen to work, and says which webhook to
 * create. Throws `usage`, `config-invalid`, `config-unwritable`, and what the forge throws.
 */
export const setUpForgejo = async (context: Context, setup: ForgejoSetup): Promise<void> => {
  const [{ forgejoLogin }, { addToEnvFile, checkEnvFile, readEnvFile }, { readEnvironment }] =
    await Promise.all([
      import("../../app/forges.ts"),
      import("../../config/env-file.ts"),
      import("../../config/environment.ts"),
    ]);
  await checkEnvFile(setup.root);
  const set = Object.entries(context.env).filter(([, value]) => value?.trim());
  const before = { ...parseEnv(await readEnvFile(setup.root)), ...Object.fromEntries(set) };
  const given = await answersOf(context, { ...setup, before });
  const { environment, problems } = readEnvironment(given);
  const { FORGEJO_URL: url, FORGEJO_TOKEN: token, FORGEJO_WEBHOOK_SECRET: webhookSecret } = environment;
  if (url === undefined || token === undefined || webhookSecret === undefined)
    throw inputError("usage", problems.join("\n"));
  const forgejo: ForgejoConfig = { url, token, webhookSecret };
  const login = await forgejoLogin(forgejo);
  const path = await addToEnvFile(setup.root, {
    FORGEJO_URL: url,
    FORGEJO_TOKEN: token,
    FORGEJO_WEBHOOK_SECRET: webhookSecret,
  });
  const style = await styleFor(context.stdout, context);
  const done = [`the token works: it is ${login}'s on ${url}`, `wrote ${path}`];
  context.stdout.write(done.map((what) => `${style.green("✓")} ${what}\n`).join(""));
  context.stdout.write(webhookText(path));
};

type Before = Readonly<Record<string, string | undefined>>;

/** A secret that is there stays: webhooks may use it already. */
const answersOf = async (
  context: Context,
  { url, isAsking, before }: ForgejoSetup & { before: Before },
): Promise<Before> => {
  const secret = before.FORGEJO_WEBHOOK_SECRET?.trim() || randomBytes(32).toString("hex");
  const known = { FORGEJO_URL: url ?? before.FORGEJO_URL, FORGEJO_TOKEN: before.FORGEJO_TOKEN };
  const asked = isAsking ? await ask(context, known) : known;
  if (!asked.FORGEJO_URL)
    throw inputError("usage", "no Forgejo is named", "Give --forgejo-url <address>, or set FORGEJO_URL.");
  if (!asked.FORGEJO_TOKEN)
    throw inputError(
      "usage",
      "FORGEJO_TOKEN is not set, and there is no terminal to ask on",
      "Set it to a token of the bot's account; a token is never an option.",
    );
  return { ...asked, FORGEJO_WEBHOOK_SECRET: secret };
};

const ask = async (
  context: Context,
  known: { FORGEJO_URL: string | undefined; FORGEJO_TOKEN: string | undefined },
) => {
  const { openTerminal } = await import("./terminal.ts");
  const terminal = openTerminal(context);
  try {
    const FORGEJO_URL =
      known.FORGEJO_URL || (await terminal.ask("Forgejo's address, as people open it: ")).trim();
    const question = "Token of the bot's account, to be kept in .env (not shown): ";
    const FORGEJO_TOKEN = known.FORGEJO_TOKEN || (await terminal.askHidden(question)).trim();
    return { FORGEJO_URL, FORGEJO_TOKEN };
  } finally {
    terminal.close();
  }
};

const webhookText = (path: string): string => `
Create a webhook on Forgejo, of the organisation or of each repository (Settings, Webhooks, Add webhook, Forgejo):
  Target URL      https://<this server's address>/api/forgejo/webhooks
  HTTP method     POST, application/json
  Secret          the value of FORGEJO_WEBHOOK_SECRET in ${path}
  Trigger on      All events
Then \`uwf start\` serves it.
`;
