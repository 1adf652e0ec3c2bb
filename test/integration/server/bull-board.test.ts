import { setImmediate as nextTick } from "node:timers/promises";
import { Queue } from "bullmq";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../../src/server/server.ts";
import { type RedisServer, redisIsHere, redisServer } from "../../rigs/redis-server.ts";

const TOKEN = "a-token-of-the-test";

describe.skipIf(!redisIsHere())("Bull Board", () => {
  let redis: RedisServer;
  let queue: Queue;
  let server: FastifyInstance;
  const logged: string[] = [];

  beforeAll(async () => {
    redis = await redisServer();
    queue = new Queue("threads", { connection: { url: redis.url } });
    await queue.add("thread", { thread: "01JD0000000000000000000000" }, { jobId: "thread-1" });
    server = await createServer({
      log: pino({ level: "trace" }, { write: (line) => void logged.push(line) }),
      apiToken: TOKEN,
      metricsToken: "of-who-scrapes-alone",
      boards: [queue],
    });
  });
  afterAll(async () => {
    await server?.close();
    await queue?.close();
    await redis?.dispose();
  });

  const basic = `Basic ${Buffer.from(`operator:${TOKEN}`).toString("base64")}`;
  const ask = (
    url: string,
    { method = "GET", authorization = basic }: { method?: string; authorization?: string } = {},
  ) =>
    server.inject({
      method: method as "GET",
      url,
      headers: { authorization, "content-type": "application/json" },
      ...(method === "GET" ? {} : { payload: "{}" }),
    });

  it("is not for whoever has the token for metrics", async () => {
    const { statusCode } = await ask("/queues", { authorization: "Bearer of-who-scrapes-alone" });

    expect(statusCode).toBe(401);
  });

  it("shows the page, with everything that it needs from this server alone", async () => {
    const page = await ask("/queues");
    const sources = [...page.body.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path ?? "");
    const statuses = await Promise.all(
      sources.map(async (path) => (await ask(`/queues/${path}`)).statusCode),
    );

    expect([page.statusCode, page.headers["content-security-policy"]]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(page.body).toContain('<base href="/queues/"');
    expect(sources.length).toBeGreaterThan(2);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("lists queues and jobs, and offers no change", async () => {
    const { queues } = (await ask("/queues/api/queues?activeQueue=threads&status=waiting")).json();

    expect(queues).toMatchObject([
      {
        name: "threads",
        readOnlyMode: true,
        jobs: [{ id: "thread-1", data: { thread: expect.any(String) } }],
      },
    ]);
  });

  it("changes nothing, for nobody", async () => {
    const statuses = await Promise.all(
      [
        "/queues/api/queues/threads/empty",
        "/queues/api/queues/threads/pause",
        "/queues/api/queues/threads/add",
      ].map(async (url) => [
        (await ask(url, { method: "PUT" })).statusCode,
        (await ask(url, { method: "POST" })).statusCode,
      ]),
    );

    expect(new Set(statuses.flat())).toEqual(new Set([405]));
    expect(await queue.getWaitingCount()).toBe(1);
    expect(await queue.isPaused()).toBe(false);
  });

  it.each(["/queues", "/queues/", "/queues/api/queues", "/queues/queue/threads", "/queues/api/redis/stats"])(
    "asks for the token at %s",
    async (url) => {
      const response = await ask(url, { authorization: "Bearer wrong" });

      expect([response.statusCode, response.headers["www-authenticate"]]).toEqual([
        401,
        expect.stringContaining("Basic"),
      ]);
    },
  );

  it("does and logs nothing more for whoever it refuses", async () => {
    logged.length = 0;

    const response = await ask("/queues", { method: "POST", authorization: "" });
    await nextTick();

    expect([response.statusCode, logged]).toEqual([401, []]);
  });

  it("takes the token as a bearer", async () => {
    expect((await ask("/queues/api/queues", { authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200);
  });
});
