import { openaiModel, silentLog } from "uwf";

/** The model that the environment names, behind any OpenAI-compatible server. */
export const model = openaiModel({
  alias: "default",
  provider: {
    baseUrl: process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    apiKeyEnv: "OPENAI_API_KEY",
    api: "chat",
    idleSeconds: 120,
  },
  model: {
    provider: "openai",
    name: process.env.OPENAI_MODEL ?? "some-model",
    contextTokens: 400_000,
    maxOutputTokens: 16_000,
    // US dollars per million tokens.
    price: { input: 1.25, cachedInput: 0.125, output: 10 },
  },
  apiKey: process.env.OPENAI_API_KEY ?? null,
  log: silentLog,
});
