import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { TokenGuard } from "./api-token.ts";
import type { WebhookOutcome } from "./webhooks.ts";

/** What the server tells and asks of the process's metrics. */
export interface ServerMetrics {
  webhook(seen: { forge: string; outcome: WebhookOutcome; seconds: number }): void;
  exposition(): Promise<{ contentType: string; text: string }>;
}

export type MetricsOptions = {
  metrics: ServerMetrics;
  /** Null: there is no token, and only this machine may ask. */
  guard: TokenGuard | null;
};

/** `/metrics` in Prometheus' text format. */
export const metricsEndpoint: FastifyPluginAsync<MetricsOptions> = async (server, { metrics, guard }) => {
  server.get("/metrics", async (request, reply) => {
    if (guard?.(request, reply)) return reply;
    if (guard === null && !isFromHere(request))
      return reply.code(403).send({ error: "Set UWF_METRICS_TOKEN to read metrics from another machine." });
    const { contentType, text } = await metrics.exposition();
    return reply.type(contentType).send(text);
  });
};

/** What a proxy on this machine hands on comes from elsewhere. */
const isFromHere = ({ socket, headers }: FastifyRequest): boolean =>
  /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "") &&
  ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"].every(
    (name) => headers[name] === undefined,
  );
