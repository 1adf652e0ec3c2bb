import { createHmac } from "node:crypto";
import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { createServer, listen } from "../../../src/server/server.ts";
import type { WebhookReceiver } from "../../../src/server/webhooks.ts";

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
  const serverWith = async (
    github: Partial<WebhookReceiver> = {},
    { observe }: { observe?: (outcome: string) => void } = {},
  ) => {
    const received: string[] = [];
    const server = await createServer({
      log,
      ...(observe && {
        metrics: {
          webhook: ({ outcome }) => observe(outcome),
          exposition: async () => ({ contentType: "text/plain", text: "" }),
        },
      }),
      receivers: {
        github: {
          verify: (body, signature) => signature === sign(String(body)),
          receive: async ({ body }) => void received.push(body),
          ...github,
        },
      },
    });
    open.push(server);
    const post = async (body: string, sent: Record<string, string> = headers(body)) =>
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

  it("refuses for a while what comes when too many of a sender's wait", async () => {
    const outcomes: string[] = [];
    const { post } = await serverWith(
      {
        receive: async () => {
          throw new AppError("10000 deliveries of github/17 wait already", {
            code: "deliveries-full",
            remedy: "retry",
          });
        },
      },
      { observe: (outcome) => outcomes.push(outcome) },
    );

    const response = await post("{}");

    expect([response.statusCode, response.headers["retry-after"], outcomes]).toEqual([503, "120", ["busy"]]);
  });

  it("refuses a body that no store can keep", async () => {
    const { received, post } = await serverWith();

    const response = await post('{"a":"\0"}');

    expect([response.statusCode, received]).toEqual([400, []]);
  });

  it("refuses what there is no room for, says when to come back, and has room again", async () => {
    const gate = Promise.withResolvers<void>();
    const { post } = await serverWith({
      receive: () => gate.promise,
      atOnce: { deliveries: 2, bytes: 1_000 },
    });

    const held = [post("{}"), post("{}")];
    const refused = await post("{}");
    gate.resolve();
    const statuses = (await Promise.all(held)).map(({ statusCode }) => statusCode);

    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "10"]);
    expect([...statuses, (await post("{}")).statusCode]).toEqual([202, 202, 202]);
  });

  it("bounds the bodies that it holds at once, and takes a large one when it holds no other", async () => {
    const gate = Promise.withResolvers<void>();
    const { post } = await serverWith({
      receive: () => gate.promise,
      atOnce: { deliveries: 10, bytes: 100 },
    });
    const large = `"${"x".repeat(200)}"`;

    const held = post(large);
    const refused = await post("{}");
    gate.resolve();

    expect([(await held).statusCode, refused.statusCode]).toEqual([202, 503]);
  });

  it("has room again after senders that hung up", async () => {
    const { server, post } = await serverWith({ atOnce: { deliveries: 2, bytes: 1_000 } });
    const url = new URL(await listen(server, { host: "127.0.0.1", port: 0 }));
    const sockets = [1, 2].map(() => connect(Number(url.port), "127.0.0.1"));
    for (const socket of sockets)
      socket.write("POST /api/github/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf");
    await expect.poll(async () => (await post("{}")).statusCode).toBe(503);

    for (const socket of sockets) socket.destroy();

    await expect.poll(async () => (await post("{}")).statusCode).toBe(202);
  });

  it("tells its observer what became of each delivery", async () => {
    const seen: string[] = [];
    const { post } = await serverWith({}, { observe: (outcome) => seen.push(outcome) });

    await post("{}");
    await post("{}", { ...headers("{}"), "x-hub-signature-256": sign("{ }") });
    await post("");
    await post("{}", { ...headers("{}"), "content-length": String(26 * 1024 * 1024) });

    expect(seen).toEqual(["accepted", "wrong-signature", "malformed", "too-large"]);
  });

  it("tells strangers nothing of an unexpected error", async () => {
    const { post } = await serverWith({
      verify: () => {
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
