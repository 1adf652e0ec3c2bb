import type { ForgejoConfig } from "./config.ts";
import type { Environment } from "./environment.ts";
import { missingParts } from "./missing-parts.ts";

const parts = {
  url: ["FORGEJO_URL"],
  token: ["FORGEJO_TOKEN"],
  webhookSecret: ["FORGEJO_WEBHOOK_SECRET"],
} as const;

/** The Forgejo server, or null when nothing of it is configured. A half-configured one is a problem that names the rest. */
export const forgejoConfig = (
  environment: Environment,
  { bad }: { bad: ReadonlySet<string> },
): { value: ForgejoConfig | null; problems: string[] } => {
  const { FORGEJO_URL: url, FORGEJO_TOKEN: token, FORGEJO_WEBHOOK_SECRET: webhookSecret } = environment;
  const problems = missingParts(parts, environment, bad);
  if (url === undefined || token === undefined || webhookSecret === undefined)
    return { value: null, problems };
  return { value: { url, token, webhookSecret }, problems };
};
