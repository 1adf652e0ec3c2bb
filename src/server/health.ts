import type { FastifyPluginAsync } from "fastify";
import type { Readiness } from "./readiness.ts";

/** `/healthz`: the process serves. `/readyz`: it can do its work now, or which part keeps it from that. */
export const health: FastifyPluginAsync<{ readiness: Readiness }> = async (server, { readiness }) => {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    const report = await readiness.report();
    return reply.code(report.status === "ready" ? 200 : 503).send(report);
  });
};
