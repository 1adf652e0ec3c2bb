import { randomBytes } from "node:crypto";

const canary = (kind: string): string => `canary-${kind}-${randomBytes(10).toString("hex")}`;

/** Secrets of the process that no rig needs to know: where each lives, and its value. */
export const variableCanaries = (): Readonly<Record<string, string>> => ({
  UWF_API_TOKEN: canary("api"),
  UWF_METRICS_TOKEN: canary("metrics"),
  GITHUB_TOKEN: canary("github"),
  AWS_SECRET_ACCESS_KEY: canary("aws"),
  NPM_TOKEN: canary("npm"),
  DEPLOY_PASSWORD: canary("deploy"),
  AGENT_SETTING: canary("agent"),
  SERVER_SETTING: canary("mcp"),
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${canary("otel")}`,
});

/** Secrets that stand in the storage root's `.env` alone. */
export const dotEnvCanaries = (): Readonly<Record<string, string>> => ({
  SECOND_PROVIDER_KEY: canary("provider"),
  SPARE_TOKEN: canary("dotenv"),
});

/** Names the variables where no name says that they are secret: an agent and a server of tools are given them. */
export const configWith = (modelUrl: string): string => `
providers:
  scripted: { baseUrl: "${modelUrl}", apiKeyEnv: OPENAI_API_KEY }
  second: { baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: SECOND_PROVIDER_KEY }
models:
  default: { provider: scripted, name: scripted, contextTokens: 200000 }
agents: { mine: { command: mine, env: [AGENT_SETTING] } }
mcpServers: { tools: { url: "http://127.0.0.1:9/mcp", apiKeyEnv: SERVER_SETTING, roles: { nobody: ["*"] } } }
`;

/** A key by its lines: any of them betrays it. */
export const linesOfKey = (pem: string): Record<string, string> => {
  const lines = pem.split(/\\n|\n/).filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line));
  return Object.fromEntries(lines.map((line, index) => [`line ${index} of the App's key`, line]));
};
