import { z } from "zod";
import { ModelConfig, Provider } from "../llm/model-config.ts";

const alias = z.string().min(1).max(64);

export const AgentConfig = z.strictObject({
  adapter: z.literal("react"),
  model: alias.optional(),
});
export type AgentConfig = z.output<typeof AgentConfig>;

const Limits = z.strictObject({
  maxDepth: z.int().min(0).max(10).default(3),
  pauseAfterRounds: z.int().min(1).default(40).describe("Steps after which a thread pauses for a person."),
  budgetUsd: z.number().positive().nullable().default(5),
  budgetTokens: z.int().positive().nullable().default(null),
  monthly: z
    .strictObject({
      actorUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("Of the threads that one person asks for."),
      repositoryUsd: z.number().positive().nullable().default(null).describe("Of one repository's threads."),
      organisationUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("Of one installation's threads."),
      totalUsd: z.number().positive().nullable().default(null).describe("Of all threads."),
    })
    .prefault({})
    .describe(
      "US dollars in a calendar month (UTC); null: no limit. What a running thread may still spend counts as spent.",
    ),
  perRepository: z.int().min(1).default(1).describe("Threads at once on one repository."),
  perInstallation: z.int().min(1).default(4).describe("Threads at once of one installation."),
  total: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Threads at once over all workers; null: as many as they take."),
  concurrency: z.int().min(0).max(64).default(2).describe("Threads that one worker runs at once; 0: none."),
});

const SandboxConfig = z.strictObject({
  kind: z.enum(["bubblewrap", "none"]).default("bubblewrap"),
  network: z.array(z.string()).default([]),
  memoryMb: z.int().min(64).default(4096),
  processes: z.int().min(16).default(512),
});

const Allow = z.strictObject({
  organisations: z
    .array(z.string().min(1))
    .default([])
    .describe("Owners whose repositories the bot works in."),
  repositories: z
    .array(z.string().regex(/^[^/\s]+\/[^/\s]+$/, "must be owner/name"))
    .default([])
    .describe("Further repositories, as owner/name. With both lists empty, every installed one."),
});

/** `config.yaml`. */
export const ConfigFile = z.strictObject({
  allow: Allow.prefault({}),
  providers: z.record(alias, Provider).default({}),
  models: z.record(alias, ModelConfig).default({}),
  defaultModel: alias.default("default"),
  modelOverrides: z.record(z.string(), alias).default({}),
  agents: z
    .record(alias, AgentConfig)
    .default({})
    .transform((agents): Record<string, AgentConfig> => ({ builtin: { adapter: "react" }, ...agents })),
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

export type ForgejoConfig = {
  /** Where people and git go, without a slash at the end. */
  url: string;
  /** Of the bot's account. */
  token: string;
  webhookSecret: string;
};

type ServerConfig = { host: string; port: number; apiToken: string | null };

/** Everything that environment and files say, checked. Made once, handed down in parts. */
export type Config = ConfigFile & {
  storageRoot: string;
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  server: ServerConfig;
  /** Keys by the provider's alias; absent where the variable is not set. */
  apiKeys: Readonly<Record<string, string>>;
  github: GitHubConfig | null;
  forgejo: ForgejoConfig | null;
  databaseUrl: string | null;
  redisUrl: string | null;
};
