import { envWith, readEnvFile } from "../../config/env-file.ts";
import type { Answers } from "./answers.ts";

/** The text of `config.yaml`. Strings stand in double quotes, which JSON and YAML share. */
export const configText = (answers: Answers): string => {
  const { providerUrl, apiKeyEnv, model, contextTokens, budgetUsd } = answers;
  const lines = [
    "# Written by `uwf setup`. `uwf doctor` checks it.",
    "providers:",
    "  main:",
    `    baseUrl: ${JSON.stringify(providerUrl)}`,
    ...(apiKeyEnv === "" ? [] : [`    apiKeyEnv: ${JSON.stringify(apiKeyEnv)}`]),
    "",
    "models:",
    "  default:",
    "    provider: main",
    `    name: ${JSON.stringify(model)}`,
    `    contextTokens: ${contextTokens}`,
    ...priceLines(answers),
    "",
    "limits:",
    "  # US dollars that one thread may spend; it needs the model's price.",
    `  budgetUsd: ${budgetUsd}`,
  ];
  return `${lines.join("\n")}\n`;
};

const priceLines = ({ priceIn, priceCached, priceOut }: Answers): string[] => {
  if (priceIn === null && priceOut === null)
    return ["    # price: { input: 1.25, cachedInput: 0.125, output: 10 }  # US dollars per million tokens"];
  const cached = priceCached === null ? "" : `cachedInput: ${priceCached}, `;
  return [
    `    price: { input: ${priceIn ?? 0}, ${cached}output: ${priceOut ?? 0} }  # US dollars per million tokens`,
  ];
};

/** The text of `.env` with the key, and with what else it holds already; null when there is no key to keep. */
export const envText = async (root: string, { apiKeyEnv, key }: Answers): Promise<string | null> =>
  key === null || apiKeyEnv === "" ? null : envWith(await readEnvFile(root), { [apiKeyEnv]: key });
