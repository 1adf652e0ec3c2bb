import type { FastifyReply } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { AppError } from "../../base/errors.ts";
import { MAX_MESSAGE } from "../../config/designer-config.ts";
import { tooLong } from "../../designer/sessions.ts";
import type { DesignerApiParts } from "./api-parts.ts";
import { Refusal, Said } from "./api-schemas.ts";
import { refusalOf } from "./refusal.ts";
import { StreamEvent, streamEvents } from "./stream-event.ts";

/** A comment so often, for proxies that end connections on which nothing comes. */
const HEARTBEAT_MS = 15_000;

/** What the person says, answered by a stream of events. */
export const chatRoute: FastifyPluginAsyncZod<DesignerApiParts> = async (
  server,
  { sessions, states, userId, redact = (text) => text },
) => {
  await server.register((await import("@fastify/sse")).fastifySSE, {
    heartbeatInterval: HEARTBEAT_MS,
    serializer: (data: unknown) => redact(JSON.stringify(data)),
  });
  const closing = new AbortController();
  server.addHook("preClose", async () =>
    closing.abort(new AppError("the server stops", { code: "server-stops", remedy: "retry" })),
  );

  server.post(
    "/chat/stream",
    {
      sse: "manual",
      schema: {
        tags: ["chat"],
        summary: "Say something",
        description:
          "Answers server-sent events, each with one JSON object after `data:`. The state is saved before each. Whoever leaves ends the work; say nothing to go on.",
        produces: ["text/event-stream"],
        body: Said,
        response: {
          200: StreamEvent.describe("One event"),
          400: Refusal,
          404: Refusal.describe("There is no such session of yours, or it has expired."),
          413: Refusal.describe("The message is too long."),
        },
      },
    },
    async ({ body: { session_id, user_message, config }, log }, reply) => {
      if (user_message.length > MAX_MESSAGE) throw tooLong(user_message.length);
      await states.getSession(session_id, userId);
      const left = new AbortController();
      reply.sse.onClose(() => left.abort(new AppError("nobody listens", { code: "left", remedy: "retry" })));
      reply.sse.sendHeaders();
      const signal = AbortSignal.any([left.signal, closing.signal]);
      const said = { sessionId: session_id, userId, text: user_message, config, signal };
      try {
        for await (const response of sessions.say(said))
          for (const event of streamEvents(response)) await send(reply, event);
      } catch (error) {
        if (left.signal.aborted) return;
        const refused = refusalOf(error);
        if (refused === null) log.error({ err: error, session: session_id }, "a conversation failed");
        await send(reply, failure(refused?.body));
      }
    },
  );
};

const send = async (reply: FastifyReply, event: StreamEvent): Promise<void> => {
  if (reply.sse.isConnected) await reply.sse.send({ data: event });
};

const failure = (refusal: NonNullable<ReturnType<typeof refusalOf>>["body"] | undefined): StreamEvent => ({
  type: "error",
  content: {
    error_code: refusal?.error_code ?? "internal",
    message: refusal?.error ?? "An unexpected error came up; the log has it.",
    details: refusal?.hint ?? "",
    is_recoverable: refusal?.is_recoverable ?? false,
  },
  is_final: true,
});
