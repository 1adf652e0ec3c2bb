import { ModelConfig, Provider } from "../llm/model-config.ts";
import type { ConfigFile } from "./config.ts";
import type { Environment } from "./environment.ts";

const OPENAI = "https://api.openai.com/v1";

/**
 * The file with provider `openai` and model `default` from `OPENAI_API_KEY`, `OPENAI_BASE_URL` and
 * `OPENAI_MODEL`, when it names no providers and no models itself.
 */
export const withDefaultProvider = (file: ConfigFile, environment: Environment): ConfigFile => {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: name } = environment;
  const named = Object.keys(file.providers).length + Object.keys(file.models).length > 0;
  if (named || (key ?? baseUrl ?? name) === undefined) return file;
  // A server at an address of one's own may want no key; OpenAI's always does.
  const keyless = key === undefined && baseUrl !== undefined;
  const provider = Provider.parse({
    baseUrl: baseUrl ?? OPENAI,
    ...(keyless ? {} : { apiKeyEnv: "OPENAI_API_KEY" }),
  });
  return {
    ...file,
    providers: { openai: provider },
    models:
      name === undefined ? {} : { [file.defaultModel]: ModelConfig.parse({ provider: "openai", name }) },
  };
};
