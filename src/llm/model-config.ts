import { z } from "zod";

const alias = z.string().min(1).max(64);

/** An OpenAI-compatible endpoint, as `config.yaml` describes it. */
export const Provider = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }).describe("The API's base address, up to and including `/v1`."),
  apiKeyEnv: z
    .string()
    .refine((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name), {
      error: "must be the name of an environment variable, not the key itself",
    })
    .nullable()
    .default(null)
    .describe("The environment variable that holds the key; without it the server is asked with no key."),
  api: z
    .enum(["chat", "responses"])
    .default("chat")
    .describe("Which of OpenAI's two APIs the provider speaks."),
  idleSeconds: z
    .int()
    .min(5)
    .max(300)
    .default(120)
    .describe("How long a reply may send not a single byte before the request is given up and tried again."),
});
export type Provider = z.output<typeof Provider>;

export const Price = z.strictObject({
  input: z.number().nonnegative().describe("What it reads."),
  cachedInput: z
    .number()
    .nonnegative()
    .optional()
    .describe("What it reads again from the provider's cache; as `input` where it is not given."),
  output: z.number().nonnegative().describe("What it writes."),
});
/** US dollars per million tokens. */
export type Price = z.output<typeof Price>;

/** A model of a provider, as `config.yaml` describes it. */
export const ModelConfig = z.strictObject({
  provider: alias.describe("The provider that serves it, by its name under `providers`."),
  name: z.string().min(1).describe("The provider's name of the model."),
  contextTokens: z
    .int()
    .min(1000)
    .default(128_000)
    .describe("Tokens that a conversation may have: a longer one is shortened."),
  maxOutputTokens: z.int().min(256).default(16_000).describe("Tokens that one reply may have."),
  price: Price.optional().describe(
    "US dollars per million tokens; without it, nothing that it costs is counted.",
  ),
});
export type ModelConfig = z.output<typeof ModelConfig>;
