import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError, inputError } from "../base/errors.ts";
import { storageRootOf } from "../config/storage-root.ts";
import { defineCommand } from "./command.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { type Answers, answersFrom, defaultAnswers } from "./setup/answers.ts";
import type { ForgeChoice } from "./setup/forge.ts";
import type { ForgejoSetup } from "./setup/forgejo.ts";
import { styleFor } from "./style.ts";

export const command = defineCommand({
  description:
    "Writes a first config.yaml: a provider, a model, its price; then sets up the forge that the bot is to serve. On a terminal it asks for what no option gives. Keys and tokens are never options: they are read from the environment, or asked for and kept in .env.",
  arguments: {},
  options: {
    "provider-url": {
      type: "string",
      value: "url",
      summary: `The API's address, up to /v1 (${defaultAnswers.providerUrl}).`,
    },
    "api-key-env": {
      type: "string",
      value: "name",
      summary: `The variable that holds the key (${defaultAnswers.apiKeyEnv}); "" for none.`,
    },
    model: { type: "string", value: "name", summary: "The provider's name of the model." },
    "context-tokens": {
      type: "string",
      value: "n",
      summary: `Tokens that the model can read at once (${defaultAnswers.contextTokens}).`,
    },
    "price-in": { type: "string", value: "usd", summary: "Dollars per million tokens read." },
    "price-cached": {
      type: "string",
      value: "usd",
      summary: "Dollars per million tokens read from the cache.",
    },
    "price-out": { type: "string", value: "usd", summary: "Dollars per million tokens written." },
    budget: {
      type: "string",
      value: "usd",
      summary: `Dollars that one thread may spend (${defaultAnswers.budgetUsd}).`,
    },
    forge: {
      type: "string",
      value: "kind",
      summary: "github, forgejo or none. A config.yaml that is there stays as it is then.",
    },
    "forgejo-url": { type: "string", value: "url", summary: "Forgejo's address, as people open it." },
    force: { type: "boolean", summary: "Replace files that are there." },
  },
  examples: [
    "uwf setup",
    'uwf setup --provider-url http://127.0.0.1:11434/v1 --api-key-env "" --model qwen3-coder',
    "uwf setup --forge github",
    "uwf setup --forge forgejo --forgejo-url https://forgejo.example.org",
  ],
  run: async ({ options }, context) => {
    const given = answersFrom(options);
    const { forgeFrom } = await import("./setup/forge.ts");
    const chosen = forgeFrom(options.forge);
    const isAsking = context.stdin.isTTY === true && context.stdout.isTerminal;
    const root = storageRootOf(context.env);
    const isForgeAlone =
      chosen !== undefined && Object.keys(given).length === 0 && existsSync(join(root, "config.yaml"));
    const next = isForgeAlone
      ? ""
      : await setUpModel(context, { given, root, isAsking, force: options.force });
    const exitCode = await setUpForge(context, { chosen, root, isAsking, url: options["forgejo-url"] });
    context.stdout.write(next);
    return exitCode;
  },
});

type ModelSetup = { given: Partial<Answers>; root: string; isAsking: boolean; force: boolean };

/** Answers what to do next, to be said after the last question. */
const setUpModel = async (
  context: Context,
  { given, root, isAsking, force }: ModelSetup,
): Promise<string> => {
  const answers = isAsking
    ? await (await import("./setup/ask.ts")).askForAnswers(given, context)
    : { ...defaultAnswers, ...given };
  if (answers.model === "")
    throw inputError(
      "usage",
      "no model is named, and there is no terminal to ask on",
      "Give --model <name>.",
    );
  const [{ configText, envText }, { writeConfigFile }] = await Promise.all([
    import("./setup/config-text.ts"),
    import("../config/setup-file.ts"),
  ]);
  const content = { config: configText(answers), env: await envText(root, answers) };
  const existing = force ? "replace" : "keep";
  const written = await writeConfigFile(root, content, { existing }).catch(sayForce);
  const style = await styleFor(context.stdout, context);
  context.stdout.write(written.map((path) => `${style.green("✓")} wrote ${path}\n`).join(""));
  return nextSteps(answers, { keyIsSet: (context.env[answers.apiKeyEnv] ?? "") !== "" });
};

type ForgeSetup = ForgejoSetup & { chosen: ForgeChoice | undefined };

const setUpForge = async (context: Context, { chosen, ...setup }: ForgeSetup): Promise<ExitCode> => {
  const ask = async () => (await import("./setup/forge.ts")).askForForge(context);
  switch (chosen ?? (setup.isAsking ? await ask() : "none")) {
    case "none":
      return exitCodes.done;
    case "forgejo":
      await (await import("./setup/forgejo.ts")).setUpForgejo(context, setup);
      return exitCodes.done;
    case "github":
      return setUpGithub(context);
  }
};

const setUpGithub = async (context: Context): Promise<ExitCode> => {
  const [{ loadConfig }, { serveSetup }] = await Promise.all([
    import("../config/load-config.ts"),
    import("./serve-setup.ts"),
  ]);
  const config = loadConfig({ env: context.env });
  if (config.github !== null)
    throw inputError(
      "config-exists",
      `the GitHub App ${config.github.appId} is set up already`,
      "Take GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_WEBHOOK_SECRET out of .env to set up another.",
    );
  if (!(await serveSetup(context, config))) return exitCodes.interrupted;
  context.stdout.write("GitHub is set up. `uwf start` serves it.\n");
  return exitCodes.done;
};

const sayForce = (error: unknown): never => {
  if (error instanceof AppError && error.code === "config-exists")
    throw inputError(error.code, error.message, "Edit it, or give --force to replace it.");
  throw error;
};

const nextSteps = ({ apiKeyEnv, key }: Answers, { keyIsSet }: { keyIsSet: boolean }): string => {
  const steps = [
    ...(apiKeyEnv === "" || key !== null || keyIsSet ? [] : [`Set ${apiKeyEnv} to the provider's key.`]),
    "uwf doctor --online                       looks whether everything is there",
    'uwf solve --repo <path> --issue "<text>"  solves a first issue',
  ];
  return `\nNext:\n${steps.map((step) => `  ${step}\n`).join("")}`;
};
