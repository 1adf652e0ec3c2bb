import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { WebhookReceiver } from "../../../src/server/github-webhooks.ts";
import { createServer, listen } from "../../../src/server/server.ts";

const log = pino({ level: "silent" });
const sign = (body: string) => `sha256=${createHmac("sha256", "s").update(body).digest("hex")}`;
const headers = (body: string) => ({
  "content-type": "application/json",
  "x-github-delivery": "d-1",
  "x-github-event": "issues",
  "x-hub-signature-256": sign(body),
});

describe("the server", () => {
  const open: FastifyInstance[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  const serverWith = async (github: Partial<WebhookReceiver> = {}) => {
    const received: string[] = [];
    const server = await createServer({
      log,
      github: {
        verify: async (body, signature) => signature === sign(body),
        receive: async ({ body }) => void received.push(body),
        ...github,
      },
    });
    open.push(server);
    const post = (body: string, sent: Record<string, string> = headers(body)) =>
      server.inject({ method: "POST", url: "/api/github/webhooks", payload: body, headers: sent });
    return { server, received, post };
  };

  it("stores a signed delivery byte for byte and says so", async () => {
    const { received, post } = await serverWith();

    const response = await post('{ "a":  1 }');

    expect([response.statusCode, received]).toEqual([202, ['{ "a":  1 }']]);
  });

  it("refuses a wrong signature, missing headers and an empty body", async () => {
    const { received, post } = await serverWith();

    const statuses = [
      await post("{}", { ...headers("{}"), "x-hub-signature-256": sign("{ }") }),
      await post("{}", { "content-type": "application/json" }),
      await post(""),
    ].map(({ statusCode }) => statusCode);

    expect([statuses, received]).toEqual([[401, 400, 400], []]);
  });

  it("asks for the delivery again when it could not be stored", async () => {
    const { post } = await serverWith({
      receive: async () => {
        throw new Error("disk full at /srv/uwf");
      },
    });

    const response = await post("{}");

    expect(response.statusCode).toBe(503);
    expect(response.body).not.toContain("/srv/uwf");
  });

  it("tells strangers nothing of an unexpected error", async () => {
    const { post } = await serverWith({
      verify: async () => {
        throw new Error("secret at /srv/uwf");
      },
    });

    const response = await post("{}");

    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain("/srv/uwf");
  });

  it("says in one line that its port is taken", async () => {
    const { server } = await serverWith();
    const { server: second } = await serverWith();
    const url = await listen(server, { host: "127.0.0.1", port: 0 });

    await expect(
      listen(second, { host: "127.0.0.1", port: Number(new URL(url).port) }),
    ).rejects.toMatchObject({
      code: "cannot-listen",
      remedy: "fix-config",
      hint: expect.stringContaining("PORT"),
    });
  });
});
