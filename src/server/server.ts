import type { Queue } from "bullmq";
import Fastify, { type FastifyError, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import { configError, messageOf } from "../base/errors.ts";
import type { Redact } from "../base/redact.ts";
import type { ForgeKind } from "../forge/events.ts";
import { BEARER, tokenGuard } from "./api-token.ts";
import type { DesignerApiParts } from "./designer/api-parts.ts";
import { health } from "./health.ts";
import { MAX_BODY_BYTES } from "./max-body.ts";
import type { ServerMetrics } from "./metrics.ts";
import { firstPage } from "./pages/first-page.ts";
import { type Readiness, readinessOf } from "./readiness.ts";
import { type WebhookReceiver, webhooks } from "./webhooks.ts";

/** Time for the whole of a request to come: a sender that dawdles holds no place. */
const REQUEST_TIMEOUT_MS = 60_000;

export type ServerParts = {
  log: Logger;
  /** Masks what no answer may hold; absent: there is nothing of the kind. */
  redact?: Redact;
  /** Of the forges that are configured; a worker has none. */
  receivers?: Readonly<Partial<Record<ForgeKind, WebhookReceiver>>>;
  /** Default: there is nothing to wait for. */
  readiness?: Readiness;
  /** Without them there is no `/metrics`. */
  metrics?: ServerMetrics;
  /** The operator's: opens everything that asks for a token. */
  apiToken?: string | null;
  /** Opens `/metrics` alone. */
  metricsToken?: string | null;
  /** What `/queues` shows; without them, or without the token, there is no such page. */
  boards?: readonly Queue[];
  /** What conversations are held with, under `/api/v1`; without it, or without the token, there are none. */
  designer?: Omit<DesignerApiParts, "redact">;
};

/** The HTTP front: webhooks in, and what an operator wants to see out. See `listen`. */
export const createServer = async (parts: ServerParts): Promise<FastifyInstance> => {
  const { log, receivers = {}, metrics, apiToken = null, metricsToken = null, boards = [] } = parts;
  const server = Fastify({
    loggerInstance: log,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Lines name deliveries and threads; a logger of each request's own would say nothing more.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  const { redact } = parts;
  if (redact !== undefined)
    server.addHook("onSend", async (_request, _reply, body) =>
      typeof body === "string" ? redact(body) : body,
    );
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: error.message });
    request.log.error({ err: error }, "a request failed");
    return reply.code(500).send({ error: "An unexpected error came up; the log has it." });
  });
  await server.register(health, { readiness: parts.readiness ?? readinessOf({}, { log }) });
  const forges = (["github", "forgejo"] as const).filter((forge) => receivers[forge] !== undefined);
  await server.register(firstPage, { forges });
  for (const forge of forges) {
    const receiver = receivers[forge];
    if (receiver !== undefined)
      await server.register(webhooks, { ...receiver, forge, ...observer(forge, metrics) });
  }
  const operators = apiToken === null ? null : { UWF_API_TOKEN: apiToken };
  if (metrics !== undefined) {
    const readers = { ...(metricsToken === null ? {} : { UWF_METRICS_TOKEN: metricsToken }), ...operators };
    const guard = Object.keys(readers).length === 0 ? null : tokenGuard(readers);
    await server.register((await import("./metrics.ts")).metricsEndpoint, { metrics, guard });
  }
  const guard = operators === null ? null : tokenGuard(operators);
  if (guard !== null && boards.length > 0)
    await server.register((await import("./bull-board.ts")).bullBoard, { queues: boards, guard });
  if (operators !== null && parts.designer !== undefined) {
    const guard = tokenGuard(operators, { challenge: BEARER });
    const { designerApi } = await import("./designer/designer-api.ts");
    const masked = redact === undefined ? {} : { redact };
    await server.register(designerApi, { ...parts.designer, ...masked, guard });
    await server.register((await import("./designer/designer-page.ts")).designerPage);
  }
  return server as unknown as FastifyInstance;
};

const observer = (forge: ForgeKind, metrics: ServerMetrics | undefined) =>
  metrics === undefined
    ? {}
    : {
        observe: (outcome: Parameters<ServerMetrics["webhook"]>[0]["outcome"], seconds: number) =>
          metrics.webhook({ forge, outcome, seconds }),
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
