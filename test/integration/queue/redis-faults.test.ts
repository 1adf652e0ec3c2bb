import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jobKey } from "../../../src/queue/queue.ts";
import { newDelivery, newThread, noting, soon, statusOf } from "../../contracts/queue/rig.ts";
import { redisIsHere } from "../../rigs/redis-server.ts";
import { type RedisRig, redisRig } from "./redis-rig.ts";

describe.skipIf(!redisIsHere())("a queue whose Redis fails", () => {
  let rig: RedisRig;
  beforeEach(async () => {
    rig = await redisRig();
  });
  afterEach(() => rig.dispose());

  const completed = async () => (await rig.store.counts()).threads.completed;
  const failures = () => rig.log.lines.filter((line) => line.startsWith("warn: Redis does not"));
  /** Deliveries and threads, `running` of which hold until they are let go, and then some more wait. */
  const busy = async () => {
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const queue = rig.queue();
    for (let i = 0; i < 6; i++) await newThread(rig);
    rig.work(
      queue,
      async (job) => {
        begun.push(jobKey(job));
        await gate.promise;
        return undefined;
      },
      { concurrency: 2 },
    );
    for (let i = 0; i < 10; i++) await queue.enqueue(await newDelivery(rig, `d${i}`));
    await expect.poll(() => new Set(begun).size, soon).toBe(12);
    return { begun, queue, letGo: () => gate.resolve() };
  };
  const everythingIsDone = async () => {
    await expect.poll(completed, soon).toBe(6);
    await expect.poll(() => rig.store.pendingDeliveries(1), soon).toEqual([]);
  };

  it("loses nothing when it is wiped while jobs run and wait", async () => {
    const { begun, letGo } = await busy();

    await rig.redis.flush();
    await setTimeout(3_000);
    await rig.redis.flush();
    letGo();

    await everythingIsDone();
    expect(new Set(begun).size).toBe(16);
  });

  it("goes on after it was stopped for some seconds and came back empty", async () => {
    const { begun, letGo, queue } = await busy();

    await rig.redis.stop();
    await queue.enqueue(await newDelivery(rig, "meanwhile"));
    await setTimeout(3_000);
    letGo();
    await rig.redis.start();

    await everythingIsDone();
    expect(begun).toContain("delivery-meanwhile");
    expect(failures()).toHaveLength(1);
  });

  it("goes on when connections are cut again and again", async () => {
    const { letGo } = await busy();
    letGo();

    for (let i = 0; i < 5; i++) {
      await rig.proxy.cut();
      await setTimeout(300);
      await rig.proxy.pass();
      await setTimeout(300);
    }

    await everythingIsDone();
  });

  it("notices connections that carry nothing any more, and makes new ones", {
    timeout: 120_000,
  }, async () => {
    const { letGo, queue } = await busy();

    await rig.proxy.hang();
    letGo();
    await queue.enqueue(await newDelivery(rig, "meanwhile"));
    await expect.poll(() => failures().length, soon).toBeGreaterThan(0);
    // Longer than any silence that a connection is allowed.
    await setTimeout(15_000);
    await rig.proxy.pass();

    await everythingIsDone();
  });

  it("loses nothing over a slow connection", async () => {
    await rig.proxy.slow(300);
    const { letGo } = await busy();
    letGo();

    await everythingIsDone();
  });

  it("starts without it, keeps what is asked for, and closes without it", async () => {
    await rig.redis.stop();
    const queue = rig.queue();
    const begun: string[] = [];
    const worker = rig.work(queue, noting(begun));
    const [delivery, thread] = [await newDelivery(rig, "d1"), await newThread(rig)];

    await Promise.all([queue.enqueue(delivery), queue.enqueue(thread)]);
    for (let i = 0; i < 20; i++) await queue.enqueue(delivery);

    expect(begun).toEqual([]);
    expect(failures()).toHaveLength(1);
    await worker.close();
    await queue.close();
  });

  it("takes up work when it comes for the first time", async () => {
    await rig.redis.stop();
    const queue = rig.queue();
    const begun: string[] = [];
    rig.work(queue, noting(begun));
    const jobs = [await newDelivery(rig, "d1"), await newThread(rig)];

    await rig.redis.start();

    await expect.poll(() => begun.toSorted(), soon).toEqual(jobs.map(jobKey).toSorted());
  });

  it("closes a worker whose job ends while it is away", async () => {
    const queue = rig.queue();
    const thread = await newThread(rig);
    const worker = rig.work(queue, async (_, signal) => {
      if (!signal.aborted) await once(signal, "abort");
      return { status: "queued" };
    });
    await expect.poll(() => statusOf(rig, thread.thread), soon).toBe("running");

    await rig.redis.stop();
    await worker.close();

    expect(await statusOf(rig, thread.thread)).toBe("queued");
    await rig.redis.start();
    rig.work(rig.queue(), noting([]));
    await expect.poll(() => statusOf(rig, thread.thread), soon).toBe("completed");
  });
});
