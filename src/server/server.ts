import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import { githubWebhooks, type WebhookReceiver } from "./github-webhooks.ts";

/** GitHub sends at most 25 MB; more is refused before it is read. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

export type ServerParts = {
  log: Logger;
  /** Null until a GitHub App is configured. */
  github: WebhookReceiver | null;
};

/** The HTTP front: webhooks in, health out. Listening is the caller's. */
export const createServer = async ({ log, github }: ServerParts): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: log,
    bodyLimit: MAX_BODY_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
  });
  server.get("/healthz", async () => ({ status: "ok" }));
  if (github !== null) await server.register(githubWebhooks, github);
  return server as unknown as FastifyInstance;
};
