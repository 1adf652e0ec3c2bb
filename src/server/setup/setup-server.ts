import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import { AppError } from "../../base/errors.ts";
import { health } from "../health.ts";
import { readinessOf } from "../readiness.ts";
import { type SetupOptions, setupPages } from "./setup-pages.ts";

const REQUEST_TIMEOUT_MS = 60_000;

/** What serves while no forge is configured: the page that sets one up, and health. See `listen`. */
export const createSetupServer = async (log: Logger, options: SetupOptions): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: log,
    requestTimeout: REQUEST_TIMEOUT_MS,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  const unconfigured = async () => {
    throw new AppError("no forge is configured yet", { code: "forge-unconfigured", remedy: "fix-config" });
  };
  await server.register(health, { readiness: readinessOf({ setup: unconfigured }, { log }) });
  server.get("/", (_request, reply) => reply.redirect("/setup", 303));
  await server.register(setupPages, options);
  return server as unknown as FastifyInstance;
};
