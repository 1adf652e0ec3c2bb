import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { messageOf } from "../base/errors.ts";

export type WebhookReceiver = {
  /** True when `signature` is the secret's over these very bytes. */
  verify(body: string, signature: string): Promise<boolean>;
  /** Keeps the delivery; the work is done later. */
  receive(delivery: { id: string; event: string; body: string }): Promise<void>;
};

const Headers = z.object({
  "x-github-delivery": z.string().regex(/^[\w-]{1,100}$/),
  "x-github-event": z.string().regex(/^[a-z_]{1,60}$/),
  "x-hub-signature-256": z.string().regex(/^sha256=[0-9a-f]{64}$/),
});

/** `POST /api/github/webhooks`: verified over its raw bytes, stored, acknowledged; nothing else is done here. */
export const githubWebhooks: FastifyPluginAsync<WebhookReceiver> = async (server, { verify, receive }) => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  server.post("/api/github/webhooks", async (request, reply) => {
    const headers = Headers.safeParse(request.headers);
    if (!headers.success || typeof request.body !== "string" || request.body === "")
      return reply
        .code(400)
        .send({ error: "This is not a GitHub webhook: its headers or body are missing." });
    const body = request.body;
    const id = headers.data["x-github-delivery"];
    if (!(await verify(body, headers.data["x-hub-signature-256"])))
      return reply.code(401).send({ error: "The signature does not match the webhook secret." });
    try {
      await receive({ id, event: headers.data["x-github-event"], body });
    } catch (error) {
      request.log.error({ delivery: id, error: messageOf(error) }, "cannot store the delivery");
      return reply.code(503).send({ error: "The delivery could not be stored; deliver it again." });
    }
    return reply.code(202).send({ accepted: id });
  });
};
