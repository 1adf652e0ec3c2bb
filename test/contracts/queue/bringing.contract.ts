import { expect, it } from "vitest";
import { jobKey, type Queue } from "../../../src/queue/queue.ts";
import type { Work } from "../../fixtures/queue-handler.ts";
import { holding, newDelivery, newThread, noting, type Rig, soon, statusOf } from "./rig.ts";

export const bringingContract = (rig: () => Rig): void => {
  it("brings every delivery and every thread once, whoever said so or not", async () => {
    const jobs = [];
    for (let i = 0; i < 15; i++) jobs.push(await newDelivery(rig(), `d${i}`), await newThread(rig()));
    const begun: string[] = [];
    const queue = rig().queue();

    rig().work(queue, noting(begun), { concurrency: 3 });
    for (let i = 15; i < 30; i++) {
      const [delivery, thread] = [await newDelivery(rig(), `d${i}`), await newThread(rig())];
      await Promise.all([queue.enqueue(delivery), queue.enqueue(thread), queue.enqueue(delivery)]);
      jobs.push(delivery, thread);
    }

    await expect.poll(() => begun.length, soon).toBeGreaterThanOrEqual(jobs.length);
    await expect.poll(async () => (await rig().store.counts()).threads.completed, soon).toBe(30);
    expect(begun.toSorted()).toEqual(jobs.map(jobKey).toSorted());
  });

  it("takes deliveries while every place for threads is taken", async () => {
    const { begun, work, letGo } = holding();
    const thread = await newThread(rig());
    const queue = rig().queue();
    rig().work(queue, (job, signal) =>
      job.kind === "thread" ? work(job, signal) : noting(begun)(job, signal),
    );
    await expect.poll(() => begun, soon).toEqual([jobKey(thread)]);

    const delivery = await newDelivery(rig(), "d1");
    await queue.enqueue(delivery);

    await expect.poll(() => begun, soon).toEqual([jobKey(thread), jobKey(delivery)]);
    letGo();
  });

  it("runs as many threads at once as it may, and no more", async () => {
    const { begun, work, letGo } = holding();
    for (let i = 0; i < 5; i++) await newThread(rig());
    const queue = rig().queue();
    rig().work(
      queue,
      (job, signal) => (job.kind === "thread" ? work(job, signal) : noting(begun)(job, signal)),
      {
        concurrency: 2,
      },
    );
    await expect.poll(() => begun.length, soon).toBe(2);

    const delivery = await newDelivery(rig(), "after");
    await queue.enqueue(delivery);
    await expect.poll(() => begun, soon).toContain(jobKey(delivery));

    expect(begun).toHaveLength(3);
    letGo();
    await expect.poll(() => begun.length, soon).toBe(6);
  });

  it("runs no threads where there are no places, and leaves them to others", async () => {
    const [bot, worker] = [rig().queue(), rig().queue()];
    const [atBot, atWorker]: [string[], string[]] = [[], []];
    const [delivery, thread] = [await newDelivery(rig(), "d1"), await newThread(rig())];
    rig().work(bot, noting(atBot), { concurrency: 0 });
    await expect.poll(() => atBot, soon).toEqual([jobKey(delivery)]);

    rig().work(worker, noting(atWorker));
    await bot.enqueue(thread);

    await expect.poll(() => atWorker, soon).toEqual([jobKey(thread)]);
    expect(atBot).toEqual([jobKey(delivery)]);
  });

  it("runs a thread that a delivery's handler has made", async () => {
    const begun: string[] = [];
    const [bot, worker] = [rig().queue(), rig().queue()];
    const workOf =
      (queue: Queue): Work =>
      async (job) => {
        begun.push(job.kind);
        if (job.kind === "delivery") await queue.enqueue(await newThread(rig(), { line: "acme/made" }));
        return undefined;
      };
    rig().work(bot, workOf(bot), { concurrency: 0 });
    rig().work(worker, workOf(worker));

    await bot.enqueue(await newDelivery(rig(), "asks"));

    await expect.poll(() => begun, soon).toContain("thread");
  });

  it("brings a thread back when it is due, and not before", async () => {
    const queue = rig().queue();
    const runs: number[] = [];
    let dueAt = Number.NaN;
    const thread = await newThread(rig());
    rig().work(queue, async () => {
      runs.push(Date.now());
      if (runs.length > 1) return undefined;
      dueAt = Date.now() + 3_000;
      return { status: "queued", dueAt };
    });

    await expect.poll(() => statusOf(rig(), thread.thread), soon).toBe("completed");

    expect(runs).toHaveLength(2);
    expect(runs[1]).toBeGreaterThanOrEqual(dueAt);
  });

  it("takes a thread that a person lets go on", async () => {
    const queue = rig().queue();
    const begun: string[] = [];
    const thread = await newThread(rig());
    rig().work(queue, async (job) => {
      begun.push(jobKey(job));
      return begun.length === 1 ? { status: "paused" } : undefined;
    });
    await expect.poll(() => statusOf(rig(), thread.thread), soon).toBe("paused");

    await rig().store.advance(thread.thread, { status: "paused" }, { status: "queued" });
    await queue.enqueue(thread);

    await expect.poll(() => statusOf(rig(), thread.thread), soon).toBe("completed");
    expect(begun).toHaveLength(2);
  });

  it("answers a check", async () => {
    await expect(rig().queue().check()).resolves.toBeUndefined();
  });
};
