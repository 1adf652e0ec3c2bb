import { z } from "zod";
import type { Secrets } from "../base/redact.ts";
import { ModelConfig, Provider } from "../llm/model-config.ts";
import { AgentConfig } from "./agent-config.ts";
import { DesignerConfig } from "./designer-config.ts";
import { McpServerConfig, McpServerName } from "./mcp-config.ts";
import { SandboxConfig } from "./sandbox-config.ts";

const alias = z.string().min(1).max(64);

const Limits = z.strictObject({
  maxDepth: z
    .int()
    .min(0)
    .max(10)
    .default(3)
    .describe("How deep workflows that play roles may lie in each other."),
  pauseAfterRounds: z.int().min(1).default(40).describe("Steps after which a thread pauses for a person."),
  budgetUsd: z
    .number()
    .positive()
    .nullable()
    .default(5)
    .describe(
      "US dollars that a thread may spend until a person lets it go on; null: no limit. Counts models with a price.",
    ),
  budgetTokens: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe(
      "Tokens, read and written, that a thread may use until a person lets it go on; null: no limit.",
    ),
  turnUsd: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe("US dollars that one reply of a model may cost, with all that it reads; null: no limit."),
  monthly: z
    .strictObject({
      actorUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("For the threads that one person asks for; null: no limit."),
      repositoryUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("For one repository's threads; null: no limit."),
      organisationUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("For one organisation's or user's threads; null: no limit."),
      totalUsd: z.number().positive().nullable().default(null).describe("For all threads; null: no limit."),
    })
    .prefault({})
    .describe(
      "US dollars in a calendar month (UTC). What a running thread may still spend counts as spent, so every model needs a price.",
    ),
  perActor: z
    .strictObject({
      underWay: z.int().min(1).default(100).describe("Threads that wait or run."),
      startedPerDay: z.int().min(1).default(500).describe("Threads that begin within a day."),
      heardPerHour: z
        .int()
        .min(1)
        .default(300)
        .describe(
          "Commands, labels, reviews and comments in conversations that are looked at within an hour; `/stop` and `/pause` always.",
        ),
    })
    .prefault({})
    .describe("What one person may ask for in one installation."),
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
  allow: Allow.prefault({}).describe("Where the bot works."),
  providers: z
    .record(alias, Provider)
    .default({})
    .describe("Servers that speak OpenAI's API, by names of your own."),
  models: z
    .record(alias, ModelConfig)
    .default({})
    .describe("Models, by names of your own, which workflows and commands use."),
  defaultModel: alias.default("default").describe("The model of whatever names none."),
  modelOverrides: z
    .record(z.string(), alias)
    .default({})
    .describe("Role → the model that it is given, in every workflow."),
  agents: z
    .record(alias, AgentConfig)
    .default({})
    .transform((agents): Record<string, AgentConfig> => ({ builtin: { adapter: "react" }, ...agents }))
    .describe("Who plays roles, by names of your own; `builtin` is always there."),
  defaultAgent: alias.default("builtin").describe("The agent of roles for which none is named."),
  agentOverrides: z
    .record(z.string(), z.record(z.string(), alias))
    .default({})
    .describe("Workflow → role → the agent that plays it."),
  mcpServers: z
    .record(McpServerName, McpServerConfig)
    .default({})
    .describe("Servers of the Model Context Protocol whose tools roles have, by names of your own."),
  limits: Limits.prefault({}).describe("What threads may take."),
  sandbox: SandboxConfig.prefault({}).describe("What the commands of roles may take and reach."),
  designer: DesignerConfig.prefault({}).describe("Conversations that make workflows."),
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

type ServerConfig = {
  host: string;
  port: number;
  /** The operator's. */
  apiToken: string | null;
  /** For the metrics alone. */
  metricsToken: string | null;
};

/** Everything that environment and files say, checked. Made once, handed down in parts. */
export type Config = ConfigFile & {
  storageRoot: string;
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  server: ServerConfig;
  /** Keys by the provider's alias; absent where the variable is not set. */
  apiKeys: Readonly<Record<string, string>>;
  /** Everything that is set in the environment or in `.env`: programs get of it what is named for them. */
  variables: Readonly<Record<string, string>>;
  github: GitHubConfig | null;
  forgejo: ForgejoConfig | null;
  databaseUrl: string | null;
  redisUrl: string | null;
  /** Knows all of these that nobody may see, and whatever else becomes known while the process runs. */
  secrets: Secrets;
};
