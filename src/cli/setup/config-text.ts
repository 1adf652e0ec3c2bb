import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isObject } from "../../base/json.ts";
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
export const envText = async (root: string, { apiKeyEnv, key }: Answers): Promise<string | null> => {
  if (key === null || apiKeyEnv === "") return null;
  const before = await readIfThere(join(root, ".env"));
  const others = before.split("\n").filter((line) => line !== "" && parseEnv(line)[apiKeyEnv] === undefined);
  return `${[...others, `${apiKeyEnv}=${key}`].join("\n")}\n`;
};

const readIfThere = async (path: string): Promise<string> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return "";
    throw error;
  }
};
