import type { FastifyPluginAsync } from "fastify";
import type { TokenGuard } from "../api-token.ts";
import type { DesignerApiParts } from "./api-parts.ts";
import { takeJsonOnly } from "./json-body.ts";
import { answerRefusal } from "./refusal.ts";

const PREFIX = "/api/v1";

/**
 * The designer over HTTP: sessions, what is said as server-sent events, the workflow in the making, its runs; and what describes that, at
 * `/api/v1/openapi.json` and, for people, `/api/v1/reference`. Every request but those for the description brings the token.
 */
export const designerApi: FastifyPluginAsync<DesignerApiParts & { guard: TokenGuard }> = async (
  server,
  { guard, ...parts },
) => {
  const [
    { default: swagger },
    { default: reference },
    provider,
    { sessionRoutes },
    { chatRoute },
    { runRoute },
  ] = await Promise.all([
    import("@fastify/swagger"),
    import("@fastify/swagger-ui"),
    import("fastify-type-provider-zod"),
    import("./session-routes.ts"),
    import("./chat-route.ts"),
    import("./run-route.ts"),
  ]);
  server.setValidatorCompiler(provider.validatorCompiler);
  server.setSerializerCompiler(provider.serializerCompiler);
  server.setErrorHandler(answerRefusal);
  takeJsonOnly(server);
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        ...{ title: "uwf designer", version: "1" },
        description: "A conversation that makes a workflow, and what runs it.",
      },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
    transform: provider.jsonSchemaTransform,
  });
  await server.register(reference, { routePrefix: `${PREFIX}/reference`, staticCSP: true });
  server.get(`${PREFIX}/openapi.json`, { schema: { hide: true } }, () => server.swagger());
  await server.register(
    async (guarded) => {
      guarded.addHook("onRequest", async (request, reply) => (guard(request, reply) ? reply : undefined));
      await guarded.register(sessionRoutes, parts);
      await guarded.register(chatRoute, parts);
      await guarded.register(runRoute, parts);
    },
    { prefix: PREFIX },
  );
};
