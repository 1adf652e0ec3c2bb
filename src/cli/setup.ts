import { AppError, inputError } from "../base/errors.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { type Answers, answersFrom, defaultAnswers } from "./setup/answers.ts";
import { styleFor } from "./style.ts";

export const command = defineCommand({
  description:
    "Writes a first config.yaml: a provider, a model, its price. On a terminal it asks for what no option gives. The key itself is never an option: it is read from the environment, or asked for and kept in .env.",
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
    force: { type: "boolean", summary: "Replace files that are there." },
  },
  examples: [
    "uwf setup",
    'uwf setup --provider-url http://127.0.0.1:11434/v1 --api-key-env "" --model qwen3-coder',
  ],
  run: async ({ options }, context) => {
    const given = answersFrom(options);
    const asking = context.stdin.isTTY === true && context.stdout.isTerminal;
    const answers = asking
      ? await (await import("./setup/ask.ts")).askForAnswers(given, context)
      : { ...defaultAnswers, ...given };
    if (answers.model === "")
      throw inputError(
        "usage",
        "no model is named, and there is no terminal to ask on",
        "Give --model <name>.",
      );
    const [{ configText, envText }, { writeConfigFile }, { storageRootOf }] = await Promise.all([
      import("./setup/config-text.ts"),
      import("../config/setup-file.ts"),
      import("../config/storage-root.ts"),
    ]);
    const root = storageRootOf(context.env);
    const content = { config: configText(answers), env: await envText(root, answers) };
    const existing = options.force ? "replace" : "keep";
    const written = await writeConfigFile(root, content, { existing }).catch(sayForce);
    const style = await styleFor(context.stdout, context);
    context.stdout.write(written.map((path) => `${style.green("✓")} wrote ${path}\n`).join(""));
    context.stdout.write(nextSteps(answers, { keyIsSet: (context.env[answers.apiKeyEnv] ?? "") !== "" }));
    return exitCodes.done;
  },
});

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
