import { Redis } from "ioredis";
import { afterEach, describe, expect, it } from "vitest";
import { isRunning } from "../../fixtures/is-running.ts";
import {
  type RedisServer,
  type RedisServerOptions,
  redisIsHere,
  redisServer,
} from "../../rigs/redis-server.ts";

let server: RedisServer | undefined;
let clients: Redis[] = [];
afterEach(async () => {
  for (const client of clients) client.disconnect();
  clients = [];
  await server?.dispose();
  server = undefined;
});

const started = async (options?: RedisServerOptions): Promise<RedisServer> => {
  server = await redisServer(options);
  return server;
};

const connected = async (url: string): Promise<Redis> => {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // The test says with `connect` and its commands whether it could be reached.
  client.on("error", () => undefined);
  clients.push(client);
  await client.connect();
  return client;
};

describe.skipIf(!redisIsHere())("redisServer", () => {
  it("serves on its own port, refusing to drop keys when it is full", async () => {
    const { url } = await started();

    const client = await connected(url);

    expect(await client.config("GET", "maxmemory-policy")).toEqual(["maxmemory-policy", "noeviction"]);
    expect(await client.config("GET", "save")).toEqual(["save", ""]);
  });

  it("comes back empty on the same port after a stop", async () => {
    const redis = await started();
    await (await connected(redis.url)).set("key", "value");

    await redis.stop();
    await expect(connected(redis.url)).rejects.toThrow();
    await redis.start();

    expect(await (await connected(redis.url)).get("key")).toBeNull();
  });

  it.each(["stop", "kill"] as const)("keeps what it acknowledged before a %s when asked to", async (end) => {
    const redis = await started({ data: "appendonly" });
    await (await connected(redis.url)).set("key", "value");
    const before = redis.pid;

    await redis[end]();
    expect(isRunning(before)).toBe(false);
    await redis.start();

    expect(await (await connected(redis.url)).get("key")).toBe("value");
    expect(redis.pid).not.toBe(before);
  });

  it("flushes while clients stay connected", async () => {
    const redis = await started();
    const client = await connected(redis.url);
    await client.set("key", "value");

    await redis.flush();

    expect(await client.get("key")).toBeNull();
  });

  it("leaves no process behind", async () => {
    const { pid } = await started();

    await server?.dispose();

    expect(isRunning(pid)).toBe(false);
  });
});
