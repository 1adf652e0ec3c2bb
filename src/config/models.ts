import { type AppError, configError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { ModelConfig, Provider } from "../llm/model-config.ts";
import type { Config } from "./config.ts";

export type ConfiguredModel = { model: ModelConfig; provider: Provider; apiKey: string | null };

/**
 * All that is needed to ask the model with this alias. Throws `model-unconfigured` (fix-config) when there is no
 * such model, or its provider's key is not set. `apiKey` is null for a provider that names no key.
 */
export const modelNamed = (
  config: Pick<Config, "models" | "providers" | "apiKeys">,
  alias: string,
): ConfiguredModel => {
  const model = own(config.models, alias);
  if (model === undefined) throw unknownModel(config, alias);
  const provider = own(config.providers, model.provider);
  if (provider === undefined) {
    throw unconfigured(`the model ${alias} names the provider ${model.provider}, which is not configured`);
  }
  const apiKey = own(config.apiKeys, model.provider) ?? null;
  if (apiKey === null && provider.apiKeyEnv !== null) {
    throw unconfigured(
      `${provider.apiKeyEnv} is not set: the model ${alias} needs the key of ${model.provider}`,
      `Set ${provider.apiKeyEnv} in the environment or in .env in the storage root, or run \`uwf setup\`.`,
    );
  }
  return { model, provider, apiKey };
};

/**
 * The model that finds a role's output in a text: `modelOverrides.extract`, else the default one; null when there is none that
 * could be asked. Throws `model-unconfigured` (fix-config) for an override that leads nowhere.
 */
export const extractModel = (
  config: Pick<Config, "models" | "providers" | "apiKeys" | "modelOverrides" | "defaultModel">,
): { model: string; modelName: string } | null => {
  const named = config.modelOverrides.extract;
  const alias = named === undefined || named === "default" ? config.defaultModel : named;
  if (named === undefined && !canBeAsked(config, alias)) return null;
  return { model: alias, modelName: modelNamed(config, alias).model.name };
};

const canBeAsked = (
  { models, providers, apiKeys }: Pick<Config, "models" | "providers" | "apiKeys">,
  alias: string,
): boolean => {
  const provider = own(models, alias)?.provider ?? "";
  return own(providers, provider)?.apiKeyEnv === null || own(apiKeys, provider) !== undefined;
};

const unknownModel = (
  { models, providers }: Pick<Config, "models" | "providers">,
  alias: string,
): AppError => {
  const known = Object.keys(models);
  if (known.length > 0) {
    return unconfigured(
      `no model is called "${alias}"${didYouMean(alias, known)}`,
      `Configured are: ${known.join(", ")}.`,
    );
  }
  if (Object.keys(providers).length > 0) {
    return unconfigured(
      "OPENAI_MODEL is not set: there is a provider, but no model",
      "Set OPENAI_MODEL to the provider's name of a model, or run `uwf setup`.",
    );
  }
  return unconfigured("no model is configured");
};

const unconfigured = (
  message: string,
  hint = "Run `uwf setup`, or set OPENAI_API_KEY and OPENAI_MODEL.",
): AppError => configError("model-unconfigured", message, hint);

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
