import { z } from "zod";

const alias = z.string().min(1).max(64);

export const Provider = z.strictObject({
  baseUrl: z.url().describe("The API's base address, up to and including `/v1`."),
  apiKeyEnv: z.string().describe("The environment variable that holds the key."),
  api: z
    .enum(["chat", "responses"])
    .default("chat")
    .describe("Which of OpenAI's two APIs the provider speaks."),
});
export type Provider = z.output<typeof Provider>;

export const Price = z.strictObject({
  input: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});
/** US dollars per million tokens. */
export type Price = z.output<typeof Price>;

export const ModelConfig = z.strictObject({
  provider: alias,
  name: z.string().min(1).describe("The provider's name of the model."),
  contextTokens: z.int().min(1000).default(128_000),
  maxOutputTokens: z.int().min(256).default(16_000),
  price: Price.optional().describe("US dollars per million tokens."),
});
export type ModelConfig = z.output<typeof ModelConfig>;

export const AgentConfig = z.strictObject({
  adapter: z.literal("react"),
  model: alias.optional(),
});
export type AgentConfig = z.output<typeof AgentConfig>;

export const Limits = z.strictObject({
  maxDepth: z.int().min(0).max(10).default(3),
  pauseAfterRounds: z.int().min(1).default(40).describe("Steps after which a thread pauses for a person."),
  budgetUsd: z.number().positive().nullable().default(5),
  budgetTokens: z.int().positive().nullable().default(null),
  perRepository: z.int().min(1).default(1),
  perInstallation: z.int().min(1).default(4),
  concurrency: z.int().min(1).max(64).default(2).describe("Threads that one worker runs at once."),
});
export type Limits = z.output<typeof Limits>;

export const SandboxConfig = z.strictObject({
  kind: z.enum(["bubblewrap", "none"]).default("bubblewrap"),
  network: z.array(z.string()).default([]),
  memoryMb: z.int().min(64).default(4096),
  processes: z.int().min(16).default(512),
});
export type SandboxConfig = z.output<typeof SandboxConfig>;

/** `config.yaml`. */
export const ConfigFile = z.strictObject({
  providers: z.record(alias, Provider).default({}),
  models: z.record(alias, ModelConfig).default({}),
  defaultModel: alias.default("default"),
  modelOverrides: z.record(z.string(), alias).default({}),
  agents: z.record(alias, AgentConfig).default({ builtin: { adapter: "react" } }),
  defaultAgent: alias.default("builtin"),
  agentOverrides: z.record(z.string(), z.record(z.string(), alias)).default({}),
  limits: Limits.prefault({}),
  sandbox: SandboxConfig.prefault({}),
});
export type ConfigFile = z.output<typeof ConfigFile>;

export type GitHubConfig = {
  appId: number;
  privateKey: string;
  webhookSecret: string;
  /** The API's address: api.github.com, or a GitHub Enterprise Server's. */
  apiUrl: string;
  /** Where git and people go. */
  webUrl: string;
};

export type ServerConfig = { host: string; port: number; apiToken: string | null };

/** Everything that environment and files say, checked. Made once, handed down in parts. */
export type Config = ConfigFile & {
  storageRoot: string;
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  server: ServerConfig;
  /** Keys by the provider's alias; absent where the variable is not set. */
  apiKeys: Readonly<Record<string, string>>;
  github: GitHubConfig | null;
  databaseUrl: string | null;
  redisUrl: string | null;
};
