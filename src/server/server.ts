import Fastify, { type FastifyError, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import { configError, messageOf } from "../base/errors.ts";
import { githubWebhooks, type WebhookReceiver } from "./github-webhooks.ts";

/** GitHub sends at most 25 MB; more is refused before it is read. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

export type ServerParts = {
  log: Logger;
  /** Null until a GitHub App is configured. */
  github: WebhookReceiver | null;
};

/** The HTTP front: webhooks in, health out. See `listen`. */
export const createServer = async ({ log, github }: ServerParts): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: log,
    bodyLimit: MAX_BODY_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: error.message });
    request.log.error({ err: error }, "a request failed");
    return reply.code(500).send({ error: "An unexpected error came up; the log has it." });
  });
  server.get("/healthz", async () => ({ status: "ok" }));
  if (github !== null) await server.register(githubWebhooks, github);
  return server as unknown as FastifyInstance;
};

/** Listens and answers the address: `http://host:port`. Throws `cannot-listen` (fix-config). */
export const listen = async (
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> => {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    throw configError(
      "cannot-listen",
      `Cannot listen on ${host}:${port} (${messageOf(error)}).`,
      "Set HOST and PORT to an address of this machine that nothing else uses.",
    );
  }
};
