import { setImmediate as nextTick } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { silentLog } from "../../../src/base/log.ts";
import { heldFor, readinessOf } from "../../../src/server/readiness.ts";
import { createServer, type ServerParts } from "../../../src/server/server.ts";

const TOKEN = "a-token-of-the-test";
const metrics = {
  webhook: () => undefined,
  exposition: async () => ({ contentType: "text/plain; version=0.0.4", text: "uwf_up 1\n" }),
};

describe("what an operator asks the server", () => {
  const open: FastifyInstance[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  const ask = async (
    url: string,
    {
      headers = {},
      from = "127.0.0.1",
      ...parts
    }: Partial<ServerParts> & { headers?: object; from?: string },
  ) => {
    const server = open[0] ?? (await createServer({ log: pino({ level: "silent" }), ...parts }));
    open[0] = server;
    return server.inject({ url, headers: { ...headers }, remoteAddress: from });
  };

  it("answers /healthz, whatever is not ready", async () => {
    const readiness = readinessOf({ store: () => Promise.reject(new Error("gone")) }, { log: silentLog });

    const response = await ask("/healthz", { readiness });

    expect([response.statusCode, response.json()]).toEqual([200, { status: "ok" }]);
  });

  it("says on /readyz that every part is ready", async () => {
    const readiness = readinessOf(
      { store: async () => undefined, queue: async () => undefined },
      { log: silentLog },
    );

    const response = await ask("/readyz", { readiness });

    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: "ready", parts: { store: "ok", queue: "ok" } },
    ]);
  });

  it("looks again after a moment, also when the clock was set back by an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let checks = 0;
    const readiness = readinessOf({ store: async () => void checks++ }, { log: silentLog, validMs: 20 });
    await readiness.report();
    vi.setSystemTime(Date.now() - 3_600_000);

    const looked = () => readiness.report().then(() => checks);

    await expect.poll(looked, { timeout: 10_000 }).toBeGreaterThan(1);
  });

  it("names the part that is not ready, and tells strangers neither host nor path", async () => {
    const said: object[] = [];
    const unreachable = { code: "queue-unreachable", remedy: "retry" } as const;
    const readiness = readinessOf(
      {
        store: () => new Promise(() => undefined),
        queue: () => Promise.reject(new AppError("connect ECONNREFUSED 10.1.2.3:6379", unreachable)),
        sandbox: () => Promise.reject(new Error("no /usr/bin/bwrap")),
      },
      { log: { ...silentLog, warn: (fields) => said.push(fields) }, limitMs: 20 },
    );

    const response = await ask("/readyz", { readiness });

    expect([response.statusCode, response.json()]).toEqual([
      503,
      {
        status: "not-ready",
        parts: { store: "no answer within 0.02 s", queue: "queue-unreachable", sandbox: "failed" },
      },
    ]);
    expect(said).toContainEqual({
      part: "queue",
      word: "queue-unreachable",
      error: "connect ECONNREFUSED 10.1.2.3:6379",
    });
  });

  it("says while it drains that it takes nothing new", async () => {
    const readiness = readinessOf({ store: async () => undefined }, { log: silentLog });
    readiness.stop();

    const response = await ask("/readyz", { readiness });

    expect([response.statusCode, response.json()]).toEqual([
      503,
      { status: "stopping", parts: { store: "ok" } },
    ]);
  });

  it("asks the parts once, however many ask it at once, and again later", async () => {
    let now = 0;
    let asked = 0;
    const readiness = readinessOf({ store: async () => void asked++ }, { log: silentLog, now: () => now });

    await Promise.all([readiness.report(), readiness.report()]);
    now = 5_000;
    await readiness.report();

    expect(asked).toBe(2);
  });

  it("asks what costs only when its last success is old", async () => {
    let now = 0;
    let asked = 0;
    let isHere = false;
    const check = heldFor(
      60_000,
      async () => {
        asked++;
        if (!isHere) throw new Error("no bwrap");
      },
      { now: () => now },
    );

    await expect(check()).rejects.toThrow("no bwrap");
    isHere = true;
    await check();
    await check();
    now = 60_000;
    await check();

    expect(asked).toBe(3);
  });

  it("shows metrics to whoever has the token", async () => {
    const given = async (authorization: string) =>
      (await ask("/metrics", { metrics, apiToken: TOKEN, headers: { authorization }, from: "10.0.0.9" }))
        .statusCode;
    const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString("base64")}`;

    const response = await ask("/metrics", {
      metrics,
      apiToken: TOKEN,
      headers: { authorization: `Bearer ${TOKEN}` },
    });

    expect([response.statusCode, response.body]).toEqual([200, "uwf_up 1\n"]);
    expect(await given(basic(TOKEN))).toBe(200);
    expect(await given(basic("wrong"))).toBe(401);
    expect(await given(`Bearer ${TOKEN}x`)).toBe(401);
    expect(await given("Bearer")).toBe(401);
    expect((await ask("/metrics", {})).headers["www-authenticate"]).toContain("Basic");
  });

  it("shows metrics to whoever has the token for them alone", async () => {
    const metricsToken = "of-who-scrapes-alone";
    const given = (headers: object) =>
      ask("/metrics", { metrics, apiToken: TOKEN, metricsToken, headers, from: "10.0.0.9" });

    const wrong = await given({});

    expect((await given({ authorization: `Bearer ${metricsToken}` })).statusCode).toBe(200);
    expect((await given({ authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200);
    expect([wrong.statusCode, wrong.json().error]).toEqual([
      401,
      "This needs the token that UWF_METRICS_TOKEN or UWF_API_TOKEN has, as a bearer token or as a password.",
    ]);
  });

  it("does and logs nothing for whoever has no token", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
    const exposition = vi.fn(metrics.exposition);

    const refused = await ask("/metrics", { log, metrics: { ...metrics, exposition }, apiToken: TOKEN });
    await nextTick();

    expect([refused.statusCode, exposition.mock.calls, lines]).toEqual([401, [], []]);
  });

  it("has an address that guesses wait, and nobody with the token who shares it", async () => {
    const guess = (authorization: string, from: string) =>
      ask("/metrics", { metrics, apiToken: TOKEN, headers: { authorization }, from });
    for (let n = 0; n < 20; n++) await guess(`Bearer ${n}`, "10.0.0.9");

    const refused = await guess("Bearer 20", "10.0.0.9");

    expect([refused.statusCode, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect((await guess("Bearer 20", "10.0.0.8")).statusCode).toBe(401);
    expect((await guess("", "10.0.0.9")).statusCode).toBe(401);
    expect((await guess(`Bearer ${TOKEN}`, "10.0.0.9")).statusCode).toBe(200);
  });

  it("shows metrics without a token to this machine alone", async () => {
    const from = async (address: string, headers = {}) =>
      (await ask("/metrics", { metrics, from: address, headers })).statusCode;

    expect([await from("127.0.0.1"), await from("::1"), await from("10.0.0.9")]).toEqual([200, 200, 403]);
    expect(await from("127.0.0.1", { "x-forwarded-for": "10.0.0.9" })).toBe(403);
  });

  it("has no metrics and no queues where there are none", async () => {
    const statuses = [
      (await ask("/metrics", { apiToken: TOKEN })).statusCode,
      (await ask("/queues", {})).statusCode,
      (await ask("/api/github/webhooks", {})).statusCode,
    ];

    expect(statuses).toEqual([404, 404, 404]);
  });
});
