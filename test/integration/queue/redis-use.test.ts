import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError, inputError } from "../../../src/base/errors.ts";
import { openLane } from "../../../src/queue/bullmq/lane.ts";
import { redisClients } from "../../../src/queue/bullmq/redis-clients.ts";
import { bullmqQueue } from "../../../src/queue/bullmq-queue.ts";
import { type Job, jobKey } from "../../../src/queue/queue.ts";
import { newDelivery, newThread, noting, soon, unlimited } from "../../contracts/queue/rig.ts";
import { redisIsHere } from "../../rigs/redis-server.ts";
import { type RedisRig, redisRig } from "./redis-rig.ts";

describe.skipIf(!redisIsHere())("a queue on Redis", () => {
  let rig: RedisRig;
  beforeEach(async () => {
    rig = await redisRig();
  });
  afterEach(() => rig.dispose());

  it("says in a check where Redis is that does not answer, without the password", async () => {
    const url = new URL(rig.proxy.url(rig.redis.url));
    url.password = "hunter2";
    await rig.redis.stop();
    const queue = rig.openAt(url.href);

    const checking = queue.check();

    await expect(checking).rejects.toMatchObject({
      code: "queue-unreachable",
      remedy: "retry",
      message: expect.stringContaining(`127.0.0.1:${rig.proxy.port}`),
    });
    await expect(checking).rejects.not.toThrow(/hunter2/);
    await queue.close();
  });

  it("finds out in a check that Redis takes connections and says nothing", async () => {
    const queue = rig.queue();
    await queue.check();
    await rig.proxy.hang();

    await expect(queue.check()).rejects.toMatchObject({ code: "queue-unreachable" });
  });

  it("tells running jobs to finish although the store cannot be told first", async () => {
    const told = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const store = { ...rig.store, retire: () => told.promise };
    const queue = bullmqQueue({ store, limits: unlimited, log: rig.log, url: rig.redis.url });
    const worker = queue.work(
      async (_, signal) => {
        begun.resolve();
        await once(signal, "abort");
        told.resolve();
      },
      { concurrency: 1 },
    );
    await queue.enqueue(await newDelivery(rig, "d1"));
    await begun.promise;

    await worker.close();
    await queue.close();
  });

  it("brings a job in back-off whose time a clock that was set back has moved by hours", async () => {
    const busy = new AppError("not now", { code: "forge-unavailable", remedy: "retry" });
    const queue = rig.queue();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const worker = rig.work(queue, () => Promise.reject(busy));
    await queue.enqueue(await newDelivery(rig, "d1"));
    const clients = redisClients(rig.redis.url, rig.log);
    const lane = openLane("uwf-deliveries", { clients, prefix: "uwf" });
    await expect.poll(() => lane.board.getDelayedCount(), soon).toBe(1);
    await worker.close();

    await lane.sweep();
    expect(await lane.board.getDelayedCount()).toBe(1);
    vi.useRealTimers();
    await lane.sweep();

    expect(await lane.board.getJobCounts("delayed", "wait")).toEqual({ delayed: 0, wait: 1 });
    await lane.close();
    clients.disconnect();
  });

  it("lets what came again pass what is new after a while, a few at a time", async () => {
    const clients = redisClients(rig.redis.url, rig.log);
    await clients.isReachable();
    const lane = openLane("uwf-deliveries", { clients, prefix: "uwf" });
    const jobs = Array.from({ length: 10 }, (_, at): Job => ({ kind: "delivery", id: `d${at}` }));
    await lane.add(jobs);
    for (const job of jobs) await lane.putLast(job);
    await lane.putLast({ kind: "delivery", id: "ended" });
    expect((await lane.known()).resting.size).toBe(10);

    await lane.sweep();

    expect(await lane.board.getJobCounts("prioritized", "wait")).toEqual({ prioritized: 2, wait: 8 });
    expect(await lane.known()).toMatchObject({ taken: { size: 8 }, resting: { size: 2 } });
    await lane.close();
    clients.disconnect();
  });

  it("works with a password and a database of its own, and says a wrong one nowhere", async () => {
    const cli = (...args: string[]) =>
      promisify(execFile)("redis-cli", ["-e", "-p", `${rig.redis.port}`, ...args]);
    await cli("config", "set", "requirepass", "hunter2");
    const url = (password: string) => `redis://:${password}@127.0.0.1:${rig.redis.port}/3`;
    const begun: string[] = [];
    const [right, wrong] = [rig.openAt(url("hunter2")), rig.openAt(url("letmein9"))];
    const thread = await newThread(rig);
    const worker = rig.work(right, noting(begun));

    await expect.poll(() => begun, soon).toEqual([jobKey(thread)]);
    await expect(wrong.check()).rejects.toMatchObject({ code: "queue-unreachable" });
    await expect(wrong.check()).rejects.not.toThrow(/letmein9/);

    const { stdout } = await cli("-a", "hunter2", "info", "keyspace");
    expect(stdout).toMatch(/^db3:/m);
    expect(stdout).not.toMatch(/^db0:/m);
    expect(rig.log.lines.join()).not.toMatch(/letmein9|hunter2/);
    await worker.close();
    await Promise.all([right.close(), wrong.close()]);
  });

  it("shows its queues to a dashboard, with what would fail again", async () => {
    const queue = rig.openAt(rig.redis.url);
    await newDelivery(rig, "bad");
    const worker = rig.work(queue, async () => {
      throw inputError("workflow-invalid", "no workflow");
    });

    const failed = async () =>
      (await queue.boards[0]?.getFailed())?.map(({ data, failedReason }) => [data, failedReason]);

    await expect.poll(failed, soon).toEqual([[{ kind: "delivery", id: "bad" }, "workflow-invalid"]]);
    expect(queue.boards.map(({ name }) => name)).toEqual(["uwf-deliveries", "uwf-threads"]);
    await worker.close();
    await queue.close();
  });

  it("lets two ask for one job at the same time", async () => {
    const [one, other] = [rig.queue(), rig.queue()];
    const job = await newDelivery(rig, "d1");
    let tries = 0;
    rig.work(one, async () => {
      if (++tries === 1) throw new AppError("later", { code: "a", remedy: "retry", retryAfterMs: 3_000_000 });
      return undefined;
    });
    await one.enqueue(job);
    await expect.poll(() => tries, soon).toBe(1);

    await expect
      .poll(async () => {
        await Promise.all([one.enqueue(job), other.enqueue(job)]);
        return tries;
      }, soon)
      .toBeGreaterThan(1);

    expect(rig.log.lines.filter((line) => line.includes("Redis does not"))).toEqual([]);
  });

  it("warns once of a Redis that may drop jobs", async () => {
    await promisify(execFile)("redis-cli", [
      "-p",
      `${rig.redis.port}`,
      "config",
      "set",
      "maxmemory-policy",
      "allkeys-lru",
    ]);
    const queue = rig.queue();
    await queue.check();
    await rig.proxy.cut();
    await rig.proxy.pass();
    await expect.poll(() => queue.check().then(() => "reachable", String), soon).toBe("reachable");

    const warnings = () => rig.log.lines.filter((line) => line.includes("maxmemory-policy"));
    await expect.poll(warnings, soon).toEqual([expect.stringContaining("allkeys-lru")]);
  });

  it("holds ids, and nothing that people wrote", async () => {
    const queue = rig.queue();
    const jobs = [await newDelivery(rig, "github-1:odd id"), await newThread(rig)];
    let tries = 0;
    rig.work(queue, async () => {
      tries++;
      throw new Error("a secret plan went wrong");
    });
    for (const job of jobs) await queue.enqueue(job);
    await expect.poll(() => tries, soon).toBe(2);

    const client = new Redis(rig.redis.url);
    const dump = await everythingIn(client);
    client.disconnect();

    expect(dump).toContain("github-1:odd id");
    expect(dump).not.toMatch(/secret plan|A thread/);
  });
});

/** Every key and what it holds. */
const everythingIn = async (client: Redis): Promise<string> => {
  const texts: string[] = [];
  for (const key of await client.keys("*")) {
    const type = await client.type(key);
    const read = {
      // Gone since the keys were listed.
      none: async () => null,
      string: () => client.get(key),
      list: () => client.lrange(key, 0, -1),
      set: () => client.smembers(key),
      zset: () => client.zrange(key, "0", "-1"),
      hash: () => client.hgetall(key),
      stream: () => client.xrange(key, "-", "+"),
    }[type];
    if (read === undefined) throw new Error(`${key} is a ${type}`);
    texts.push(`${key} ${JSON.stringify(await read())}`);
  }
  return texts.join("\n");
};
